import type { deploymentsEndpoints } from '#contract/deployments.ts';
import { requestStatus } from '#records/deployments/deployments.ts';
import type { Call } from '../http/call.ts';
import { isRefused, refuse } from '../http/refusal.ts';
import { steerDeployment } from './steer-deployment.ts';

/** Records are kept for years (spec section 9), so nothing is deleted: what has not begun to trade is withdrawn. */
export const removeDeployment: Call<typeof deploymentsEndpoints.removeDeployment> = async (
  { params, caller },
  dependencies,
) => {
  const answer = await steerDeployment(
    { id: params.id, userId: caller.userId },
    async (trx, { id, status }) => {
      if (status !== 'pending') return refuse('illegal_move', KEPT);
      await requestStatus(trx, { id, status: 'stopped' });
      return null;
    },
    dependencies,
  );
  if (isRefused(answer)) return answer;
};

const KEPT =
  'Only a deployment that has not started trading can be deleted. Stop this one instead; its record is kept.';
