import type { deploymentsEndpoints } from '#contract/deployments.ts';
import type { Call } from '../http/call.ts';
import { createDeployment } from './create-deployment.ts';

/** The same endpoint at its older address. */
export const deployStrategy: Call<typeof deploymentsEndpoints.deployStrategy> = (input, dependencies) =>
  createDeployment({ ...input }, dependencies);
