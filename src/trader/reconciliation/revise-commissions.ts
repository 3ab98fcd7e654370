// Books what the broker says its executions cost, where the books have another figure.
import {
  type BookedCommission,
  judgeCommission,
  reviseCommission,
} from '#engine/execution/reconciliation/revise-commission.ts';
import type { DeploymentSnapshot } from '#engine/execution/deployment/deployment-snapshot.ts';
import type { BrokerExecution } from '#ports/broker.ts';
import {
  type AgreedCommission,
  closeProposal,
  listAgreedCommissions,
  lockApproved,
} from '#records/incidents/incident-proposals.ts';
import { bookRoundTrips } from '#records/portfolio/round-trips.ts';
import type { Transaction } from '#records/postgres/database.ts';
import {
  changeCommission,
  changeExternalCommission,
  listBookedCommissions,
  listExternalCommissions,
  provisionalSince,
} from '#records/execution/commissions.ts';
import { syncIncidents } from '#records/incidents/incidents.ts';
import { DAY_MS, isoText } from '#units/instant.ts';
import type { Micro } from '#units/money.ts';
import type { ActiveConnection } from '../connections/connection.ts';
import { failingConnection } from '../incidents/failing-connection.ts';
import { loadSnapshot } from '../rebalance/load-snapshots.ts';
import { saveTransitions } from '../rebalance/save-transitions.ts';
import { noteProblem, type TradingContext } from '../trading-context.ts';

export async function reviseCommissions(
  context: TradingContext,
  active: ActiveConnection,
  executions: readonly BrokerExecution[],
): Promise<void> {
  const { database } = context;
  const { connection } = active;
  const stated = new Map(executions.map((one) => [one.executionId, one]));
  const { accountId } = connection;
  for (const known of await listExternalCommissions(database, accountId, [...stated.keys()])) {
    const { executionId } = known;
    const verdict = judgeCommission(known, stated.get(executionId)!, context.now);
    if (verdict.type === 'revise')
      await changeExternalCommission(database, accountId, { executionId, ...verdict });
  }
  const own = { connection: connection.id, account: accountId };
  for (const booked of await listBookedCommissions(database, own, [...stated.keys()])) {
    const { executionId } = booked;
    const report = stated.get(executionId);
    if (report === undefined || judgeCommission(booked, report, context.now).type === 'none') continue;
    try {
      await revise(context, booked, report);
    } catch (error) {
      noteProblem(context, `commission of ${executionId}`, error, failingConnection(connection, error));
    }
  }
  await bookAgreed(context, active);
  await noteMissing(context, active);
}

/** Figures from confirmations that two people agreed on, where the broker itself still owes one: each once. */
async function bookAgreed(context: TradingContext, { connection }: ActiveConnection): Promise<void> {
  for (const agreed of await listAgreedCommissions(context.database, connection.id)) {
    try {
      await context.database.transaction().execute((trx) => bookOne(trx, context, agreed));
    } catch (error) {
      const about = failingConnection(connection, error);
      noteProblem(context, `agreed commission of ${agreed.executionId}`, error, about);
    }
  }
}

async function bookOne(
  trx: Transaction,
  context: TradingContext,
  { proposalId, executionId, accountId, deploymentId, commission, seen }: AgreedCommission,
): Promise<void> {
  const snapshot = await loadSnapshot(trx, deploymentId, context);
  if (!(await lockApproved(trx, proposalId))) return;
  const own = { connection: snapshot.record.connectionId, account: accountId };
  const [booked] = await listBookedCommissions(trx, own, [executionId]);
  if (booked === undefined || !booked.isProvisional || String(booked.revision) !== seen) {
    await closeProposal(trx, proposalId, 'void');
    return;
  }
  await saveRevision(trx, context, { snapshot, booked, commission });
  await closeProposal(trx, proposalId, 'over');
}

/** An incident while an estimate has waited for the broker's figure for more than a day. */
async function noteMissing(context: TradingContext, { connection, known }: ActiveConnection): Promise<void> {
  const { database, lease, now, realNow } = context;
  const { id: connectionId, accountId } = connection;
  const since = await provisionalSince(database, connectionId);
  const isMissing = since !== null && now - since >= DAY_MS;
  if (!isMissing && known.hasMissingCommission === false) return;
  const facts = { since: since === null ? null : isoText(since) };
  const wanted = isMissing
    ? [{ kind: 'commission_missing', subject: accountId, accountId, facts } as const]
    : [];
  await database.transaction().execute(async (trx) => {
    await lease.fence(trx, [connectionId]);
    await syncIncidents(trx, { connectionId, kinds: ['commission_missing'] }, wanted, realNow());
  });
  known.hasMissingCommission = isMissing;
}

/** Judged again under the lock of the deployment: another look may have booked it. */
async function revise(
  context: TradingContext,
  { executionId, accountId, deploymentId }: BookedCommission,
  report: BrokerExecution,
): Promise<void> {
  await context.database.transaction().execute(async (trx) => {
    const snapshot = await loadSnapshot(trx, deploymentId, context);
    const own = { connection: snapshot.record.connectionId, account: accountId };
    const [booked] = await listBookedCommissions(trx, own, [executionId]);
    if (booked === undefined) return;
    const verdict = judgeCommission(booked, report, context.now);
    if (verdict.type === 'none') return;
    const commission = verdict.type === 'confirm' ? booked.commission : verdict.commission;
    await saveRevision(trx, context, { snapshot, booked, commission });
  });
}

/** The fill and, where the figure differs, its ledger transaction. */
export async function saveRevision(
  trx: Transaction,
  context: TradingContext,
  {
    snapshot,
    booked,
    commission,
  }: {
    readonly snapshot: DeploymentSnapshot;
    readonly booked: BookedCommission;
    readonly commission: Micro;
  },
): Promise<void> {
  const { symbol, place: from } = await changeCommission(trx, booked, commission);
  if (commission === booked.commission) return;
  await saveTransitions(trx, context, [reviseCommission(snapshot, { booked, commission }, context)]);
  await bookRoundTrips(trx, [{ deploymentId: booked.deploymentId, symbol, from }], context.instruments);
}
