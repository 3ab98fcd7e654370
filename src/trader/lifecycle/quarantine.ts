// A deployment that always fails is set aside, so that it is seen and nobody else waits for it.
import { loadSnapshots } from '../rebalance/deployment-snapshot.ts';
import { canMove } from '#engine/lifecycle/status.ts';
import type { TradingDeployment } from '#records/deployments/trading-deployments.ts';
import { noTransition, saveTransitions } from '../rebalance/state-transition.ts';
import { lifeCycleNotice } from '../rebalance/notices.ts';
import { noteProblem, type TradingContext } from '../trading-context.ts';

export async function parkDeployments(context: TradingContext): Promise<void> {
  for (const { id, where } of context.failures.takeParked()) {
    try {
      await context.database.transaction().execute(async (trx) => {
        const [snapshot] = await loadSnapshots(trx, [id], context, { lock: 'for update' });
        if (snapshot === undefined || !canMove({ from: snapshot.record.status, to: 'failed', by: 'trader' }))
          return;
        const { record } = snapshot;
        const because = `its ${where} fails again and again`;
        const after: TradingDeployment = {
          ...record,
          status: 'failed',
          statusReason: `It could not go on: ${because}. Our support has been told.`,
        };
        const notifications = [lifeCycleNotice(record, 'failed', context, because)];
        await saveTransitions(trx, [{ ...noTransition(record, context.now), after, notifications }]);
      });
    } catch (error) {
      noteProblem(context, `parking deployment ${id}`, error);
    }
  }
}
