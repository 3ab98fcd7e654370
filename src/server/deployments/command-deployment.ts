import type { deploymentsEndpoints } from '#contract/deployments.ts';
import type { Call } from '../http/call.ts';
import { isRefused } from '../http/refusal.ts';
import { steerDeployment } from './steer-deployment.ts';

/** Once this is committed, no new order is sent: the trader reads the command again before sending. */
export const pauseDeployment: Call<typeof deploymentsEndpoints.pauseDeployment> = (
  { params, caller },
  dependencies,
) => steerDeployment({ id: params.id, userId: caller.userId, command: 'pause' }, dependencies);

/** A deployment that has not begun ends at once; any other sells its positions first. */
export const stopDeployment: Call<typeof deploymentsEndpoints.stopDeployment> = (
  { params, caller },
  dependencies,
) => steerDeployment({ id: params.id, userId: caller.userId, command: 'stop' }, dependencies);

/** Records are kept for years (specification, section 9), so an untraded deployment is withdrawn, not deleted. */
export const removeDeployment: Call<typeof deploymentsEndpoints.removeDeployment> = async (
  { params, caller },
  dependencies,
) => {
  const { id } = params;
  const answer = await steerDeployment({ id, userId: caller.userId, command: 'withdraw' }, dependencies);
  if (isRefused(answer)) return answer;
};
