import type { deploymentsEndpoints } from '#contract/deployments.ts';
import type { Call } from '../http/call.ts';
import { isRefused } from '../http/refusal.ts';
import { steerDeployment } from './steer-deployment.ts';

/** From the moment this is committed no new order leaves: the trader reads the command again when it sends. */
export const pauseDeployment: Call<typeof deploymentsEndpoints.pauseDeployment> = (
  { params, caller },
  dependencies,
) => steerDeployment({ id: params.id, userId: caller.userId, command: 'pause' }, dependencies);

/** What has not begun ends at once; anything else sells its positions first. */
export const stopDeployment: Call<typeof deploymentsEndpoints.stopDeployment> = (
  { params, caller },
  dependencies,
) => steerDeployment({ id: params.id, userId: caller.userId, command: 'stop' }, dependencies);

/** Records are kept for years (specification, section 9), so nothing is deleted: what has not begun to trade is withdrawn. */
export const removeDeployment: Call<typeof deploymentsEndpoints.removeDeployment> = async (
  { params, caller },
  dependencies,
) => {
  const { id } = params;
  const answer = await steerDeployment({ id, userId: caller.userId, command: 'withdraw' }, dependencies);
  if (isRefused(answer)) return answer;
};
