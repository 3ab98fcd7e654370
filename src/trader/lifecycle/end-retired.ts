// Ends the deployments of a retired strategy once the close of its last day has passed: each is asked to stop, as by its owner, and the
// usual steps sell its positions as their markets open.
import { applyCommand } from '#engine/lifecycle/apply-command.ts';
import { heldCalendar } from '#engine/market/calendar-exceptions.ts';
import { previousSession } from '#engine/market/calendar.ts';
import { listRetiring } from '#records/deployments/deployment-queues.ts';
import { requestStatus } from '#records/deployments/deployments.ts';
import { loadSnapshots } from '../rebalance/load-snapshots.ts';
import { runInBatches } from '../rebalance/run-in-batches.ts';
import type { TradingContext } from '../trading-context.ts';

export async function endRetired(context: TradingContext): Promise<void> {
  const retiring = await listRetiring(context.database, context.lease.shards);
  const due = retiring.filter(({ versionId, endsOn }) => {
    const version = context.versions.get(versionId);
    if (version === undefined) return false;
    return previousSession(heldCalendar(version.calendar, context.exceptions), context.now).date >= endsOn;
  });
  if (due.length === 0) return;
  await runInBatches(context, {
    task: 'life-cycle',
    ids: due.map(({ id }) => id),
    size: 1,
    work: async (trx, ids, present) => {
      for (const { record } of await loadSnapshots(trx, ids, present, { lock: 'for update' })) {
        const outcome = applyCommand('stop', record);
        if (outcome.ok && outcome.requestedStatus !== record.requestedStatus)
          await requestStatus(trx, { id: record.id, status: outcome.requestedStatus });
      }
    },
  });
}
