import type { deploymentsEndpoints } from '#contract/deployments.ts';
import { wishStatus } from '#records/deployments/deployments.ts';
import { actionRefusal } from '#rules/deployments/offered-actions.ts';
import type { Call } from '../http/call.ts';
import { refuse } from '../http/refusal.ts';
import { steerDeployment } from './steer-deployment.ts';

/** What has not begun ends at once; anything else sells its positions first. */
export const stopDeployment: Call<typeof deploymentsEndpoints.stopDeployment> = (
  { params, caller },
  dependencies,
) =>
  steerDeployment(
    { id: params.id, userId: caller.userId },
    async (trx, { id, status }) => {
      const reason = actionRefusal('stop', status);
      if (reason !== null) return refuse('illegal_move', reason);
      await wishStatus(trx, { id, wish: 'stopped' });
      return null;
    },
    dependencies,
  );
