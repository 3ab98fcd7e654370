// Requests to liquidate a deployment: made by its owner, decided by support. A decision is final.
import { randomUUID } from 'node:crypto';
import { sql, type Transaction } from 'kysely';
import type { DeploymentStatus } from '#engine/lifecycle/status.ts';
import type { DeploymentId, UserId } from '#units/identifiers.ts';
import { type Instant, isoText } from '#units/instant.ts';
import type { Database } from '../postgres/database.ts';
import { isUuid } from '../postgres/is-uuid.ts';
import type { Tables } from '../tables.ts';

/** The id of the request, or null when one is already open. The caller holds the lock of the deployment. */
export async function requestLiquidation(
  trx: Transaction<Tables>,
  {
    deploymentId,
    at,
    decideBy,
  }: { readonly deploymentId: DeploymentId; readonly at: Instant; readonly decideBy: Instant },
): Promise<string | null> {
  const row = await trx
    .insertInto('liquidation_requests')
    .values({
      id: randomUUID(),
      deployment_id: deploymentId,
      requested_at: isoText(at),
      decide_by: isoText(decideBy),
    })
    // As a literal: a prepared statement that is planned for any value would not find the index of the open ones.
    .onConflict((conflict) =>
      conflict.column('deployment_id').where('status', '=', sql.lit('open')).doNothing(),
    )
    .returning('id')
    .executeTakeFirst();
  if (!row) return null;
  await raiseRevision(trx, deploymentId);
  return row.id;
}

export type OpenRequest = {
  readonly id: string;
  readonly deploymentId: DeploymentId;
  readonly userId: UserId;
  readonly email: string;
  readonly strategyName: string;
  readonly status: DeploymentStatus;
  readonly equityMicro: string;
  /** Trading clock. */
  readonly requestedAt: Date;
  /** Real clock. */
  readonly decideBy: Date;
};

function openRequests(database: Database) {
  return database
    .selectFrom('liquidation_requests as request')
    .innerJoin('deployments as deployment', 'deployment.id', 'request.deployment_id')
    .innerJoin('users', 'users.id', 'deployment.user_id')
    .innerJoin('strategies', 'strategies.id', 'deployment.strategy_id')
    .select([
      'request.id',
      'request.deployment_id as deploymentId',
      'deployment.user_id as userId',
      'users.email',
      'strategies.name as strategyName',
      'deployment.status',
      'deployment.equity_micro as equityMicro',
      'request.requested_at as requestedAt',
      'request.decide_by as decideBy',
    ])
    .where('request.status', '=', 'open');
}

/** Longest waiting first; of one client, where an e-mail is named. */
export async function listOpenRequests(
  database: Database,
  max: number,
  client: string | null = null,
): Promise<readonly OpenRequest[]> {
  const wanted =
    client === null ? openRequests(database) : openRequests(database).where('users.email', '=', client);
  const inTurn = wanted.orderBy('request.created_at').orderBy('request.id');
  const rows = await inTurn.limit(max).execute();
  return rows as OpenRequest[];
}

/**
 * Locks an open request with its deployment, the deployment first as its owner's calls do, so that they never deadlock.
 * Undefined when it is already decided, or does not exist.
 */
export async function lockOpenRequest(
  trx: Transaction<Tables>,
  id: string,
): Promise<OpenRequest | undefined> {
  if (!isUuid(id)) return undefined;
  await sql`
    select from deployments where id = (select deployment_id from liquidation_requests where id = ${id})
    for update`.execute(trx);
  const row = await openRequests(trx).where('request.id', '=', id).forUpdate('request').executeTakeFirst();
  return row as OpenRequest | undefined;
}

type DecidedRequest = {
  readonly status: Decision['status'];
  readonly reason: string | null;
  readonly by: UserId;
  readonly email: string;
  /** Real clock. */
  readonly at: Date;
};

export async function findDecided(database: Database, id: string): Promise<DecidedRequest | undefined> {
  const { rows } = await sql<DecidedRequest>`
    select r.status, r.reason, r.decided_by as by, u.email, r.decided_at as at
    from liquidation_requests r join users u on u.id = r.decided_by
    where r.id::text = ${id} and r.status <> 'open'`.execute(database);
  return rows[0];
}

type Decision = {
  readonly status: 'approved' | 'declined';
  /** The end of a sentence; null for an approval. */
  readonly reason: string | null;
  readonly by: UserId;
  /** Real clock. */
  readonly at: Instant;
};

/** An approval is a command that the trader carries out. */
export async function decideRequest(
  trx: Transaction<Tables>,
  { id, deploymentId }: OpenRequest,
  decision: Decision,
): Promise<void> {
  await trx
    .updateTable('liquidation_requests')
    .set({
      status: decision.status,
      reason: decision.reason,
      decided_by: decision.by,
      decided_at: isoText(decision.at),
    })
    .where('id', '=', id)
    .execute();
  if (decision.status === 'approved') {
    await trx
      .updateTable('deployments')
      .set({ requested_status: 'liquidated', revision: sql`revision + 1` })
      .where('id', '=', deploymentId)
      .execute();
  } else await raiseRevision(trx, deploymentId);
}

/** The id of the request that was open; undefined without one. The caller holds the lock of the deployment. */
export async function withdrawRequest(
  trx: Transaction<Tables>,
  {
    deploymentId,
    by,
    at,
  }: { readonly deploymentId: DeploymentId; readonly by: UserId; readonly at: Instant },
): Promise<string | undefined> {
  const row = await trx
    .updateTable('liquidation_requests')
    .set({ status: 'withdrawn', decided_by: by, decided_at: isoText(at) })
    .where('deployment_id', '=', deploymentId)
    .where('status', '=', 'open')
    .returning('id')
    .executeTakeFirst();
  if (row !== undefined) await raiseRevision(trx, deploymentId);
  return row?.id;
}

/** Raises the revision of the deployment: its screen changes. */
async function raiseRevision(trx: Transaction<Tables>, id: DeploymentId): Promise<void> {
  await trx.updateTable('deployments').set({ revision: sql`revision + 1` }).where('id', '=', id).execute();
}
