import type { Pool } from 'pg';
import type { Deployment } from '#contract/deployments.ts';
import { readDeployments, readDeploymentVersions } from '#records/deployment-views.ts';
import type { UserId } from '#units/identifiers.ts';
import type { Dependencies } from '../dependencies.ts';
import { notFound, type Refused } from '../refusal.ts';
import { batchedReader } from './batched-reader.ts';
import { showDeployment } from './show-deployment.ts';

type Own = { readonly id: string; readonly userId: UserId };
type Kept = { readonly version: string; readonly userId: UserId; readonly view: Deployment };

/** Absent, and someone else's: both undefined. */
export async function findOwnDeployment(
  { id, userId }: Own,
  { records }: Dependencies,
): Promise<Deployment | undefined> {
  const found = await readView(records.pool, id);
  return found?.userId === userId ? found.view : undefined;
}

export async function showOwnDeployment(own: Own, dependencies: Dependencies): Promise<Deployment | Refused> {
  return (await findOwnDeployment(own, dependencies)) ?? notFound();
}

const VIEWS_KEPT = 20_000;
const views = new WeakMap<Pool, Map<string, Kept>>();

/**
 * Asks the database each time which version of the deployment is the newest, and reads the whole of it only when that
 * is another than the one kept: every change of what is shown raises the version in the same transaction.
 */
const readView = batchedReader<Kept>(async (pool, ids) => {
  let kept = views.get(pool);
  if (!kept) views.set(pool, (kept = new Map()));
  const versions = await readDeploymentVersions(pool, ids);
  const stale = ids.filter((id) => versions.has(id) && kept.get(id)?.version !== versions.get(id));
  const answers = new Map<string, Kept>();
  for (const id of ids) {
    const known = versions.has(id) ? kept.get(id) : undefined;
    if (known) answers.set(id, known);
  }
  if (stale.length > 0) {
    if (kept.size > VIEWS_KEPT) kept.clear();
    for (const [id, row] of await readDeployments(pool, stale)) {
      const fresh = { version: row.version, userId: row.user_id, view: showDeployment(row) };
      kept.set(id, fresh);
      answers.set(id, fresh);
    }
  }
  return answers;
});
