// Why a deployment is as it is, as its owner reads it.
import { readDeployments } from '#records/deployments/deployment-views.ts';
import { showDeployment } from '../../src/server/deployments/show-deployment.ts';
import type { TestDatabase } from './test-database.ts';

export async function shownReason({ pool }: Pick<TestDatabase, 'pool'>, id: string): Promise<string | null> {
  const row = [...(await readDeployments(pool, [id])).values()][0];
  if (row === undefined) throw new Error(`no deployment ${id}`);
  return showDeployment(row, []).status_reason;
}
