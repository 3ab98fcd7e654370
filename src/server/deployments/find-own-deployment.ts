import type { Pool } from 'pg';
import type { Deployment } from '#contract/deployments.ts';
import { readDeployments, readDeploymentVersions } from '#records/deployments/deployment-views.ts';
import type { UserId } from '#units/identifiers.ts';
import type { Dependencies } from '../http/dependencies.ts';
import { notFound, type Refused } from '../http/refusal.ts';
import { batchedReader } from './batched-reader.ts';
import { showDeployment } from './show-deployment.ts';

type Own = { readonly id: string; readonly userId: UserId };
type Kept = { readonly version: string; readonly view: Deployment };

/** Absent, and someone else's: both undefined, after the same single look at the database. */
export async function findOwnDeployment(
  { id, userId }: Own,
  { records }: Dependencies,
): Promise<Deployment | undefined> {
  return (await readView(records.pool, `${userId}/${id}`))?.view;
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
const readView = batchedReader<Kept>(async (pool, owned) => {
  let kept = views.get(pool);
  if (!kept) views.set(pool, (kept = new Map()));
  const asked = owned.map((key) => ({ key, id: key.slice(key.indexOf('/') + 1) }));
  const versions = await readDeploymentVersions(pool, [...new Set(asked.map(({ id }) => id))]);
  const own = asked.filter(({ key, id }) => key === `${versions.get(id)?.user_id}/${id}`);
  const isFresh = (id: string) => kept.get(id)?.version === versions.get(id)?.version;
  const answers = new Map<string, Kept>();
  for (const { key, id } of own) if (isFresh(id)) answers.set(key, kept.get(id)!);
  const stale = own.filter(({ id }) => !isFresh(id));
  if (stale.length === 0) return answers;
  const rows = await readDeployments(
    pool,
    stale.map(({ id }) => id),
  );
  if (kept.size > VIEWS_KEPT) kept.clear();
  for (const { key, id } of stale) {
    const row = rows.get(id);
    if (!row) continue;
    const fresh = { version: row.version, view: showDeployment(row) };
    kept.set(id, fresh);
    answers.set(key, fresh);
  }
  return answers;
});
