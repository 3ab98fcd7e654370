// The state of a deployment as a command, or a life that a test leaves out, would have left it in the records.
import type pg from 'pg';
import type { DeploymentStatus, RequestedStatus } from '../../src/engine/lifecycle/status.ts';

/** What an owner's command writes; the trader carries it out. */
export async function requestStatus(pool: pg.Pool, id: string, status: RequestedStatus): Promise<void> {
  await pool.query(`update deployments set requested_status = $2, revision = revision + 1 where id = $1`, [
    id,
    status,
  ]);
}

/** The same command for all that are in one of these states. */
export async function requestStatusOfAll(
  pool: pg.Pool,
  from: readonly DeploymentStatus[],
  status: RequestedStatus,
): Promise<void> {
  await pool.query(
    `update deployments set requested_status = $2, revision = revision + 1 where status = any($1::text[])`,
    [from, status],
  );
}

/** Skips the way to a state. */
export async function setStatus(pool: pg.Pool, id: string, status: DeploymentStatus): Promise<void> {
  await pool.query(`update deployments set status = $2, revision = revision + 1 where id = $1`, [id, status]);
}
