import type { Deployment } from '#contract/deployments.ts';
import { type DeploymentRow, readDeployments } from '#records/deployment-views.ts';
import type { UserId } from '#units/identifiers.ts';
import type { Dependencies } from '../dependencies.ts';
import { notFound, type Refused } from '../refusal.ts';
import { batchByTurn } from './batch-by-turn.ts';
import { showDeployment } from './show-deployment.ts';

type Own = { readonly id: string; readonly userId: UserId };

/** Absent, and someone else's: both undefined. Reads of the same turn of the event loop share one statement. */
export async function findOwnDeployment(
  { id, userId }: Own,
  { records }: Dependencies,
): Promise<DeploymentRow | undefined> {
  const row = await batchByTurn(records.pool, readDeployments, id);
  return row?.user_id === userId ? row : undefined;
}

export async function showOwnDeployment(own: Own, dependencies: Dependencies): Promise<Deployment | Refused> {
  const row = await findOwnDeployment(own, dependencies);
  return row ? showDeployment(row) : notFound();
}
