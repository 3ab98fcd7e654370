import type { deploymentsEndpoints } from '#contract/deployments.ts';
import type { Call } from '../http/call.ts';
import { notFound } from '../http/refusal.ts';

export const listPositions: Call<typeof deploymentsEndpoints.listDeploymentPositions> = async (
  { params, caller },
  { findDeployment },
) => {
  const deployment = await findDeployment({ id: params.id, userId: caller.userId });
  return deployment ? deployment.positions : notFound();
};
