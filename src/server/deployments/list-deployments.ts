import type { deploymentsEndpoints } from '#contract/deployments.ts';
import { readDeployments } from '#records/deployments/deployment-views.ts';
import { listDeploymentIds } from '#records/deployments/deployments.ts';
import type { Call } from '../http/call.ts';
import { showDeployment } from './show-deployment.ts';

export const listDeployments: Call<typeof deploymentsEndpoints.listDeployments> = async (
  { caller },
  { records, brokers },
) => {
  const ids = await listDeploymentIds(records.database, caller.userId);
  const rows = await readDeployments(records.pool, ids);
  return ids.flatMap((id) => rows.get(id) ?? []).map((row) => showDeployment(row, brokers));
};
