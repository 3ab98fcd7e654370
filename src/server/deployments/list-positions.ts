import type { deploymentsEndpoints } from '#contract/deployments.ts';
import type { Call } from '../http/call.ts';
import { notFound } from '../http/refusal.ts';
import { findOwnDeployment } from './find-own-deployment.ts';

export const listPositions: Call<typeof deploymentsEndpoints.listDeploymentPositions> = async (
  { params, caller },
  dependencies,
) => {
  const deployment = await findOwnDeployment({ id: params.id, userId: caller.userId }, dependencies);
  return deployment ? deployment.positions : notFound();
};
