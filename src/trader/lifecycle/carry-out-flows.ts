// Adds and withdraws the money that people asked for. The engine decides on one request at a time, at the newest prices, and everything
// of it is saved in one transaction: books, ledger, the value before and after, the notice. After a crash the request is still there.
import { availableCash } from '#engine/execution/connection/account-cash.ts';
import { applyEvent } from '#engine/execution/deployment/apply-event.ts';
import type { DeploymentSnapshot } from '#engine/execution/deployment/deployment-snapshot.ts';
import { equityMark } from '#engine/execution/deployment/equity-mark.ts';
import { noTransition, type StateTransition } from '#engine/execution/deployment/state-transition.ts';
import {
  flowNotice,
  flowPosting,
  signedFlow,
  withFlow,
  withoutRequest,
} from '#engine/execution/flows/apply-flow.ts';
import { decideFlow, type FlowDecision } from '#engine/execution/flows/decide-flow.ts';
import type { FlowReason, PendingFlow } from '#engine/execution/flows/flow.ts';
import { isProtective } from '#engine/execution/orders/open-order.ts';
import { effectiveStatus, followsStrategy } from '#engine/lifecycle/effective-status.ts';
import { valuePortfolio } from '#engine/portfolio/value.ts';
import { budgetOf } from '#engine/risk/budget.ts';
import { claimCash, findFreshCash, lockAccountCash } from '#records/brokerage/account-cash.ts';
import {
  type FlowTerms,
  listDeploymentsWithFlows,
  listFlowsToRepeat,
  listPendingFlows,
  readFlowTerms,
  repeatFlow,
  saveFlowDecision,
} from '#records/deployments/deployment-flows.ts';
import { readTradingGates } from '#records/deployments/trading-gates.ts';
import { movePracticeCash } from '#records/practice/practice-accounts.ts';
import type { Transaction } from '#records/postgres/database.ts';
import { awaitsCapacity } from '#records/strategies/capacity-queue.ts';
import { shutTradingGate } from '#rules/deployments/gates.ts';
import { FEE_PERIODS, lastFeePeriodEnd } from '#rules/fees/fee-period.ts';
import { AGREEMENT_VERSION } from '#rules/provider.ts';
import type { DeploymentId } from '#units/identifiers.ts';
import type { Instant } from '#units/instant.ts';
import { type Micro, micro } from '#units/money.ts';
import { loadSnapshots } from '../rebalance/load-snapshots.ts';
import { runInBatches } from '../rebalance/run-in-batches.ts';
import { saveTransitions } from '../rebalance/save-transitions.ts';
import type { TradingContext } from '../trading-context.ts';

export async function carryOutFlows(context: TradingContext): Promise<void> {
  await repeatForShadows(context);
  await runInBatches(context, {
    task: 'flows',
    ids: await listDeploymentsWithFlows(context.database, context.lease.shards),
    size: 1,
    isTrading: false,
    work: async (trx, [id], present) => {
      if (id !== undefined) await carryOutNext(trx, id, present);
    },
  });
}

/** A shadow gets and gives what the deployment beside it did, so that both remain comparable. */
async function repeatForShadows(context: TradingContext): Promise<void> {
  for (const flow of await listFlowsToRepeat(context.database, context.lease.shards))
    await context.database
      .transaction()
      .execute((trx) => repeatFlow(trx, flow, { id: context.newId(), at: context.now }));
}

/** The oldest request of a deployment; the next one in the next tick. */
async function carryOutNext(trx: Transaction, id: DeploymentId, present: TradingContext): Promise<void> {
  // A value at the very end of a fee period would belong to both periods.
  if (FEE_PERIODS.some((length) => lastFeePeriodEnd(length, present.now) === present.now)) return;
  const [snapshot] = await loadSnapshots(trx, [id], present, { lock: 'for update' });
  // Ahead of the clock, or its strategy is not read yet: the next tick values it.
  if (snapshot === undefined || !present.versions.has(snapshot.record.versionId)) return;
  const [flow] = await listPendingFlows(trx, id);
  if (flow === undefined) return;
  const terms = await readFlowTerms(trx, id);
  const marked = markedOf(snapshot, present);
  // A limit that the newest prices pass comes first.
  if (marked.orders.length > 0) return;
  const shut = flow.kind === 'deposit' ? await findShut(trx, flow, terms) : null;
  const decision = decideFlow(flow, {
    ...marked.after,
    free: freeIn(snapshot, present),
    isBusy: snapshot.openOrders.some((order) => !isProtective(order)),
    shut,
    now: present.now,
  });
  if (decision.outcome === 'waits' && !decision.sizes && decision.reason === flow.reason) return;
  await save(trx, present, { flow, terms, marked, decision });
}

/** At the newest prices. One that does not trade keeps its value: nothing of it moves. */
function markedOf(snapshot: DeploymentSnapshot, present: TradingContext): StateTransition {
  const { record } = snapshot;
  const { now: at, marks } = present;
  return followsStrategy(record) || effectiveStatus(record) === 'paused'
    ? applyEvent(snapshot, { type: 'mark', at, marks }, present)
    : noTransition(record, at);
}

function freeIn({ state }: DeploymentSnapshot, { terms, marks, instruments }: TradingContext): Micro {
  const known = new Map([...state.marks, ...marks]);
  const value = valuePortfolio(state.portfolio, known, instruments);
  const budget = budgetOf({ ...state, withdrawing: undefined }, value, terms);
  return micro(Math.min(budget.cash, budget.exposure));
}

/** What keeps the deployment from more money. Until the transaction ends nobody else claims cash of the account. */
async function findShut(
  trx: Transaction,
  { id, deploymentId, requested }: PendingFlow,
  { mode, accountId }: FlowTerms,
): Promise<FlowReason | null> {
  if (await awaitsCapacity(trx, { deploymentId, flowId: id })) return 'awaits_capacity';
  const gate = shutTradingGate(await readTradingGates(trx, deploymentId, AGREEMENT_VERSION));
  if (gate !== null) return gate.code;
  if (mode === 'practice') return null;
  if (accountId === null) return 'broker_not_connected';
  await lockAccountCash(trx, accountId);
  const cash = await findFreshCash(trx, accountId);
  if (cash === null) return 'cash_not_reported';
  return availableCash(cash) < requested ? 'cash_not_enough' : null;
}

type Decided = {
  readonly flow: PendingFlow;
  readonly terms: FlowTerms;
  readonly marked: StateTransition;
  readonly decision: FlowDecision;
};

async function save(
  trx: Transaction,
  present: TradingContext,
  { flow, terms, marked, decision }: Decided,
): Promise<void> {
  const at = present.now;
  const { after: before } = marked;
  const after = afterOf(flow, before, decision);
  const { postings, notices } = told(flow, { before, after, decision }, at);
  const mark = decision.outcome === 'done' ? equityMark(after, at, present) : null;
  await saveTransitions(trx, present, [
    {
      ...marked,
      after,
      postings,
      notices: [...marked.notices, ...notices],
      equityMarks: mark === null ? marked.equityMarks : [mark],
    },
  ]);
  await saveFlowDecision(trx, flow, { decision, after, valueBefore: before.equity, at });
  if (decision.outcome !== 'done') return;
  present.report.commandsApplied += 1;
  const amount = signedFlow(flow.kind, decision.moved);
  const { accountId } = terms;
  if (accountId === null) return;
  if (terms.mode === 'practice') await movePracticeCash(trx, { accountId, amount });
  else {
    await lockAccountCash(trx, accountId);
    await claimCash(trx, { accountId, amount });
  }
}

type Books = StateTransition['after'];

function afterOf(flow: PendingFlow, before: Books, decision: FlowDecision): Books {
  switch (decision.outcome) {
    case 'done':
      return withFlow(before, flow, decision.moved);
    case 'waits':
      return decision.sizes ? { ...before, appliedTargetId: null } : before;
    case 'refused':
      return flow.kind === 'withdrawal' ? { ...before, ...withoutRequest(before, flow.requested) } : before;
    default:
      return decision satisfies never;
  }
}

type Outcome = { readonly before: Books; readonly after: Books; readonly decision: FlowDecision };

/** Of a shadow nobody is told: the one beside it was. */
function told(
  flow: PendingFlow,
  { before, after, decision }: Outcome,
  at: Instant,
): Pick<StateTransition, 'postings' | 'notices'> {
  if (decision.outcome === 'waits') return { postings: [], notices: [] };
  const about =
    decision.outcome === 'refused'
      ? { refused: decision.reason }
      : { moved: decision.moved, investment: after.investment };
  return {
    postings: decision.outcome === 'done' ? [flowPosting(flow, decision.moved, at)] : [],
    notices: flow.repeats === null ? [flowNotice(before, flow, about, at)] : [],
  };
}
