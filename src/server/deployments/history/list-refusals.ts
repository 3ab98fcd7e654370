import type { deploymentsEndpoints } from '#contract/deployments.ts';
import { isOwnDeployment } from '#records/deployments/deployment-views.ts';
import { readRefusals } from '#records/deployments/receipts.ts';
import type { DeploymentId } from '#units/identifiers.ts';
import type { Call } from '../../http/call.ts';
import { notFound } from '../../http/refusal.ts';
import { showRefusedDecision } from './show-refused-decision.ts';

export const listRefusals: Call<typeof deploymentsEndpoints.listDeploymentRefusals> = async (
  { params, query, caller },
  { records },
) => {
  if (!(await isOwnDeployment(records.pool, { id: params.id, userId: caller.userId }))) return notFound();
  const rows = await readRefusals(records.pool, { id: params.id as DeploymentId, limit: query.limit });
  return rows.map(showRefusedDecision);
};
