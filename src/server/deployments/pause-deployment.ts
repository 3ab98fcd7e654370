import type { deploymentsEndpoints } from '#contract/deployments.ts';
import { wishStatus } from '#records/deployments/deployments.ts';
import { actionRefusal } from '#rules/deployments/offered-actions.ts';
import type { Call } from '../http/call.ts';
import { refuse } from '../http/refusal.ts';
import { steerDeployment } from './steer-deployment.ts';

/** From the moment this is committed no new order leaves: the trader looks at the wish again when it sends. */
export const pauseDeployment: Call<typeof deploymentsEndpoints.pauseDeployment> = (
  { params, caller },
  dependencies,
) =>
  steerDeployment(
    { id: params.id, userId: caller.userId },
    async (trx, { id, status }) => {
      const reason = actionRefusal('pause', status);
      if (reason !== null) return refuse('illegal_move', reason);
      await wishStatus(trx, { id, wish: 'paused' });
      return null;
    },
    dependencies,
  );
