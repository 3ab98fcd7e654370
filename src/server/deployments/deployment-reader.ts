import type { Pool } from 'pg';
import type { Deployment } from '#contract/deployments.ts';
import { asEverybody } from '#records/postgres/row-scope.ts';
import { readDeployments, readDeploymentVersions } from '#records/deployments/deployment-views.ts';
import { batchedReader } from '../http/batched-reader.ts';
import type { FindDeployment } from '../http/dependencies.ts';
import { keepText } from '../http/kept-text.ts';
import { showDeployment, type StopTakers } from './show-deployment.ts';

type Kept = { readonly version: string; readonly view: Deployment };

const VIEWS_MAX = 20_000;

/**
 * Finds the caller's own deployment and caches the newest view of each, one cache per server. It always reads the current
 * version from the database, and the whole deployment only when the cached one is older: every visible change raises the
 * version in the same transaction.
 */
export function createDeploymentReader(pool: Pool, brokers: StopTakers): FindDeployment {
  const kept = new Map<string, Kept>();
  // One statement reads those of several people: each gets the own ones alone.
  const read = batchedReader<Deployment>((owned) => asEverybody(() => readOwned(owned)));
  const readOwned = async (owned: readonly string[]) => {
    const asked = owned.map((key) => ({ key, id: key.slice(key.indexOf('/') + 1) }));
    const versions = await readDeploymentVersions(
      pool,
      asked.map(({ id }) => id),
    );
    const answers = new Map<string, Deployment>();
    const stale: { readonly key: string; readonly id: string }[] = [];
    for (const { key, id } of asked) {
      const current = versions.get(id);
      if (current === undefined || key !== `${current.user_id}/${id}`) continue;
      const known = kept.get(id);
      if (known?.version === current.version) answers.set(key, known.view);
      else stale.push({ key, id });
    }
    if (stale.length === 0) return answers;
    const ids = stale.map(({ id }) => id);
    const rows = await readDeployments(pool, ids);
    if (kept.size > VIEWS_MAX) kept.clear();
    for (const { key, id } of stale) {
      const row = rows.get(id);
      if (!row) continue;
      const view = keepText(showDeployment(row, brokers));
      kept.set(id, { version: row.version, view });
      answers.set(key, view);
    }
    return answers;
  };
  return ({ id, userId }) => read(`${userId}/${id}`);
}
