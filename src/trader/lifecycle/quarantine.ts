// A deployment that keeps failing is set aside, so that a person sees it and no other waits for it.
import { quarantine } from '#engine/lifecycle/quarantine.ts';
import { loadSnapshots } from '../rebalance/deployment-snapshot.ts';
import { noteProblem, type TradingContext } from '../trading-context.ts';
import { saveLifecycle } from './save-lifecycle.ts';

export async function quarantineFailing(context: TradingContext): Promise<void> {
  for (const { id, failing } of context.circuitBreaker.takeOpened()) {
    try {
      await context.database.transaction().execute(async (trx) => {
        const [snapshot] = await loadSnapshots(trx, [id], context, { lock: 'for update' });
        const transition = snapshot && quarantine(snapshot.record, failing);
        if (snapshot && transition) await saveLifecycle(trx, snapshot, transition, context);
      });
    } catch (error) {
      noteProblem(context, `quarantine of deployment ${id}`, error);
    }
  }
}
