import type { deploymentsEndpoints } from '#contract/deployments.ts';
import type { Call } from '../http/call.ts';
import { showOwnDeployment } from './show-own-deployment.ts';

export const getDeployment: Call<typeof deploymentsEndpoints.getDeployment> = (
  { params, caller },
  dependencies,
) => showOwnDeployment({ id: params.id, userId: caller.userId }, dependencies);
