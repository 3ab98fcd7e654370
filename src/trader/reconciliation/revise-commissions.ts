// Books what the broker says its executions cost, where the books have another figure.
import {
  type BookedCommission,
  judgeCommission,
  reviseCommission,
} from '#engine/execution/reconciliation/revise-commission.ts';
import type { BrokerExecution } from '#ports/broker.ts';
import { changeCommission, listBookedCommissions } from '#records/execution/commissions.ts';
import type { ActiveConnection } from '../connections/connection.ts';
import { failingConnection } from '../incidents/failing-connection.ts';
import { loadSnapshot } from '../rebalance/load-snapshots.ts';
import { saveTransitions } from '../rebalance/save-transitions.ts';
import { noteProblem, type TradingContext } from '../trading-context.ts';

export async function reviseCommissions(
  context: TradingContext,
  { connection }: ActiveConnection,
  executions: readonly BrokerExecution[],
): Promise<void> {
  const { database } = context;
  const stated = new Map(executions.map((one) => [one.executionId, one]));
  const own = { connection: connection.id, account: connection.accountId };
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
