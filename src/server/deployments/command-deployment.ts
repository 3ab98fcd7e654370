import type { Deployment, deploymentsEndpoints } from '#contract/deployments.ts';
import { requestStatus } from '#records/deployments/deployments.ts';
import { actionRefusal } from '#rules/deployments/offered-actions.ts';
import type { UserId } from '#units/identifiers.ts';
import type { Dependencies } from '../dependencies.ts';
import type { Call } from '../http/call.ts';
import { refuse, type Refused } from '../http/refusal.ts';
import { steerDeployment } from './steer-deployment.ts';

/** From the moment this is committed no new order leaves: the trader reads the command again when it sends. */
export const pauseDeployment: Call<typeof deploymentsEndpoints.pauseDeployment> = (
  { params, caller },
  dependencies,
) => command({ id: params.id, userId: caller.userId, action: 'pause' }, dependencies);

/** What has not begun ends at once; anything else sells its positions first. */
export const stopDeployment: Call<typeof deploymentsEndpoints.stopDeployment> = (
  { params, caller },
  dependencies,
) => command({ id: params.id, userId: caller.userId, action: 'stop' }, dependencies);

type Commanded = { readonly id: string; readonly userId: UserId; readonly action: 'pause' | 'stop' };

function command(
  { id, userId, action }: Commanded,
  dependencies: Dependencies,
): Promise<Deployment | Refused> {
  return steerDeployment(
    { id, userId },
    async (trx, deployment) => {
      const reason = actionRefusal(action, deployment.status);
      if (reason !== null) return refuse('illegal_move', reason);
      await requestStatus(trx, { id: deployment.id, status: action === 'pause' ? 'paused' : 'stopped' });
      return null;
    },
    dependencies,
  );
}
