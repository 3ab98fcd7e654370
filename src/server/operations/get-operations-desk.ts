import { executionHold } from '#rules/reasons/execution-hold.ts';
import type { PositionBreak, HeldExecution } from '#contract/operations/adjustments.ts';
import type { DeadLetter as ShownLetter } from '#contract/operations/dead-letter.ts';
import type { LiquidationRequest } from '#contract/operations/liquidation-request.ts';
import type { OperationsDesk, operationsEndpoints } from '#contract/operations/operations.ts';
import { countUnrenewed, findAgreementDeadline } from '#records/agreements/agreement-deadlines.ts';
import { listOpenBreaks, type OpenBreak } from '#records/adjustments/reconciliation-breaks.ts';
import { countConnections, listDisturbedConnections } from '#records/brokerage/desk-connections.ts';
import { listProposals, type ShownProposal } from '#records/adjustments/adjustment-cases.ts';
import { type DeadLetter, listDeadLetters } from '#records/jobs/dead-letters.ts';
import { listOpenIncidents } from '#records/incidents/open-incidents.ts';
import type { Database } from '#records/postgres/database.ts';
import { findHeartbeat } from '#records/operations/heartbeats.ts';
import { listHaltable, listKillSwitches } from '#records/operations/kill-switches.ts';
import { listStandingProposals, type Proposal } from '#records/operations/proposals.ts';
import { listUnpaidClients } from '#records/fees/unpaid-clients.ts';
import { listPaidCharges } from '#records/payments/paid-charges.ts';
import { listOpenRequests, type OpenRequest } from '#records/deployments/liquidation-requests.ts';
import {
  type HeldExecution as Held,
  listHeldEverywhere,
  listUnconfirmedOrders,
} from '#records/execution/unconfirmed-orders.ts';
import { commandRefusal } from '#engine/lifecycle/apply-command.ts';
import { roleOfAction } from '#rules/operations/proposal-action.ts';
import { AGREEMENT_VERSION } from '#rules/provider.ts';
import { commandReason } from '#rules/reasons/command-reason.ts';
import { failureQuote } from '#rules/reasons/failure-quote.ts';
import { jobFailureReason } from '#rules/reasons/job-failure.ts';
import { differenceEffect, differenceText } from '#rules/operations/difference-effect.ts';
import { instant, isoText } from '#units/instant.ts';
import { fromMicro, parseMicro } from '#units/money.ts';
import { fromQuantity } from '#units/quantity.ts';
import type { Call } from '../http/call.ts';
import { listCashDifferences } from './cash/list-cash-differences.ts';
import { staffOf } from '../http/act-as-staff.ts';
import { listIncidentSubjects } from './incidents/list-incident-subjects.ts';
import { readRunning } from './read-running.ts';
import { showDeskConnection } from './show-desk-connection.ts';
import { showIncident } from './show-incident.ts';
import { showProposal as showStanding } from './proposals/show-proposal.ts';
import { showClientPayment } from './payments/list-client-payments.ts';
import { showUnpaidClient } from './unpaid/show-unpaid-client.ts';
import { showKillSwitch } from './kill-switches/show-kill-switch.ts';
import { showProposal } from './adjustments/show-proposal.ts';
import { showUnconfirmedOrder } from './show-unconfirmed-order.ts';
import { wallText } from '#units/wall-instant.ts';

const SHOWN_MAX = 100;

export const getOperationsDesk: Call<typeof operationsEndpoints.getOperationsDesk> = async (
  { request },
  dependencies,
) => {
  const support = staffOf(request);
  const { records, now } = dependencies;
  const { database } = records;
  const asked = SHOWN_MAX + 1;
  const [switches, orders, differences, missingHoldings, executions, deadLetters, trader, standing] =
    await Promise.all([
      listKillSwitches(database),
      listUnconfirmedOrders(database, asked),
      listOpenBreaks(database, ['unexplained'], asked),
      listOpenBreaks(database, ['external_trade', 'shortfall'], asked),
      listHeldEverywhere(database, asked),
      listDeadLetters(database, asked),
      findHeartbeat(database, 'trader'),
      listStandingProposals(database),
    ]);
  const agreed = standing.filter(({ action }) => roleOfAction(action) === 'support');
  const moneyMatters = await listMoneyMatters(database, agreed);
  const cashDifferences = await listCashDifferences(database, { support, proposals: agreed, max: asked });
  const shown = { support, proposals: agreed, marketAt: trader?.marketAt ?? now(), max: SHOWN_MAX };
  const proposals = await listProposals(database, {
    differences: [...differences, ...missingHoldings].map(({ id }) => id),
    executions,
  });
  const proposalFor = (isIt: (proposal: ShownProposal) => boolean) => {
    const found = proposals.find(isIt);
    return found === undefined ? null : showProposal(found, support);
  };
  const showWithProposal = (one: OpenBreak): PositionBreak => ({
    ...showDifference(one),
    proposal: proposalFor(({ answers }) => answers.difference === one.id),
  });
  return {
    ...(await readTrouble(database, trader?.details ?? {})),
    ...(await listIncidentSubjects(database, shown)),
    kill_switches: switches.map(showKillSwitch),
    proposals: agreed.map((one) => showStanding(one, support)),
    orders: waiting(orders, showUnconfirmedOrder),
    differences: waiting(differences, showWithProposal),
    missing_holdings: waiting(missingHoldings, showWithProposal),
    executions: waiting(executions, (one) => ({
      ...showExecution(one),
      proposal: proposalFor(
        ({ answers, accountId }) => answers.execution === one.id && accountId === one.accountId,
      ),
    })),
    cash_differences: waiting(cashDifferences, (one) => one),
    ...moneyMatters,
    dead_letters: waiting(deadLetters, showDeadLetter),
    ...(await readBesides(database)),
    as_of: isoText(now()),
    market_at: trader?.marketAt ? isoText(trader.marketAt) : null,
    trader_seen_at: trader ? wallText(trader.beatAt) : null,
  };
};

async function readAgreement(database: Database): Promise<OperationsDesk['agreement']> {
  const version = AGREEMENT_VERSION;
  const [unsigned, signBy] = await Promise.all([
    countUnrenewed(database, version),
    findAgreementDeadline(database, version),
  ]);
  return { version, unsigned, sign_by: signBy?.toISOString() ?? null };
}

async function listMoneyMatters(
  database: Database,
  proposals: readonly Proposal[],
): Promise<Pick<OperationsDesk, 'liquidations' | 'unpaid_clients' | 'refunds'>> {
  const asked = proposals.filter(({ action }) => action === 'refund').map(({ subject }) => subject);
  return {
    liquidations: waiting(await listOpenRequests(database, SHOWN_MAX + 1), showRequest),
    unpaid_clients: waiting(await listUnpaidClients(database), showUnpaidClient),
    refunds: waiting(await listPaidCharges(database, { ids: asked }), showClientPayment),
  };
}

/** What a halt can name, and the newest agreement. */
async function readBesides(
  database: Database,
): Promise<Pick<OperationsDesk, 'agreement' | 'brokers' | 'strategies'>> {
  const { brokers, strategies } = await listHaltable(database);
  return {
    agreement: await readAgreement(database),
    brokers: [...brokers],
    strategies: [...strategies],
  };
}

async function readTrouble(
  database: Database,
  details: object,
): Promise<Pick<OperationsDesk, 'incidents' | 'connections' | 'running'>> {
  const [incidents, connections, byState] = await Promise.all([
    listOpenIncidents(database, SHOWN_MAX + 1),
    listDisturbedConnections(database, SHOWN_MAX + 1),
    countConnections(database),
  ]);
  return {
    incidents: waiting(incidents, showIncident),
    connections: waiting(connections, showDeskConnection),
    running: await readRunning(database, { details, connections: byState }),
  };
}

function waiting<Row, Shown>(rows: readonly Row[], show: (row: Row) => Shown) {
  return { results: rows.slice(0, SHOWN_MAX).map(show), has_more: rows.length > SHOWN_MAX };
}

function showDifference(difference: OpenBreak): Omit<PositionBreak, 'proposal'> {
  const { id, kind, accountId, brokerName, clients, symbol, ours, external, theirs, since, exitsWaiting } =
    difference;
  const effect = differenceEffect({ kind, ours, theirs });
  return {
    id,
    kind,
    account: accountId,
    broker_name: brokerName,
    clients: [...clients],
    symbol,
    our_quantity: fromQuantity(ours),
    external_quantity: fromQuantity(external),
    broker_quantity: fromQuantity(theirs),
    quantity: fromQuantity(difference.units),
    price: difference.price,
    traded_at: difference.tradedAt === null ? null : isoText(difference.tradedAt),
    since: since.toISOString(),
    blocks_exits: effect === 'exits wait',
    effect: differenceText(difference, effect),
    exits_waiting: exitsWaiting,
  };
}

function showExecution(execution: Held): Omit<HeldExecution, 'proposal'> {
  const { id, accountId, brokerName, client, symbol, side, quantity, price, brokerOrderId } = execution;
  return {
    id,
    account: accountId,
    broker_name: brokerName,
    client,
    symbol,
    side,
    quantity: fromQuantity(quantity),
    price,
    broker_order_id: brokerOrderId,
    executed_at: isoText(instant(execution.executedAt)),
    received_at: execution.receivedAt.toISOString(),
    held_because: executionHold(execution.hold),
  };
}

function showDeadLetter({ sentAt, failedAt, ...letter }: DeadLetter): ShownLetter {
  return {
    ...letter,
    detail: letter.detail === null ? null : failureQuote(letter.detail),
    reason: jobFailureReason(letter.failure),
    sent_at: sentAt.toISOString(),
    failed_at: failedAt.toISOString(),
  };
}

function showRequest(request: OpenRequest): LiquidationRequest {
  const { id, deploymentId, email, strategyName, status, equityMicro, requestedAt, decideBy } = request;
  const refusal = commandRefusal('liquidate', status);
  return {
    id,
    deployment: deploymentId,
    client: email,
    strategy_name: strategyName,
    status,
    equity: fromMicro(parseMicro(equityMicro)),
    requested_at: requestedAt.toISOString(),
    decide_by: decideBy.toISOString(),
    refusal: refusal && commandReason(refusal),
  };
}
