// Books what the broker says its executions cost, where the books have another figure.
import {
  type BookedCommission,
  judgeCommission,
  reviseCommission,
} from '#engine/execution/reconciliation/revise-commission.ts';
import type { BrokerExecution } from '#ports/broker.ts';
import {
  changeCommission,
  changeExternalCommission,
  listBookedCommissions,
  listExternalCommissions,
  provisionalSince,
} from '#records/execution/commissions.ts';
import { syncIncidents } from '#records/incidents/incidents.ts';
import { DAY_MS, isoText } from '#units/instant.ts';
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
  await noteMissing(context, active);
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
    if (verdict.type === 'confirm') {
      await changeCommission(trx, booked, booked.commission);
      return;
    }
    const { commission } = verdict;
    await changeCommission(trx, booked, commission);
    await saveTransitions(trx, context, [reviseCommission(snapshot, { booked, commission }, context)]);
  });
}
