// Connections to the practice venue: one for each practice deployment.
import { sql } from 'kysely';
import type { BrokerAccountId, BrokerConnectionId, DeploymentId, UserId } from '#units/identifiers.ts';
import { type Instant, isoText } from '#units/instant.ts';
import type { Transaction } from '../postgres/database.ts';

type NewConnection = {
  readonly id: BrokerConnectionId;
  readonly userId: UserId;
  readonly accountId: BrokerAccountId;
  readonly sealedCredentials: Buffer;
  /** Real clock. */
  readonly at: Instant;
};

export async function connectPractice(
  trx: Transaction,
  { id, userId, accountId, sealedCredentials, at }: NewConnection,
): Promise<void> {
  const venue = await trx
    .selectFrom('brokers')
    .select('id')
    .where('mode', '=', 'practice')
    .executeTakeFirstOrThrow();
  await trx
    .insertInto('broker_connections')
    .values({
      id,
      user_id: userId,
      broker_id: venue.id,
      mode: 'practice',
      status: 'active',
      account_id: accountId,
      sealed_credentials: sealedCredentials,
      is_paper: true,
      created_at: isoText(at),
      expires_at: isoText(at),
      connected_at: isoText(at),
    })
    .execute();
}

/** Live practice deployments of a person. */
export async function countPractice(trx: Transaction, userId: UserId): Promise<number> {
  const { count } = await trx
    .selectFrom('live_deployments')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('user_id', '=', userId)
    .where('mode', '=', 'practice')
    .executeTakeFirstOrThrow();
  return count;
}

/** It is the shadow of a real one already. */
export async function isPromoted(trx: Transaction, id: DeploymentId): Promise<boolean> {
  const row = await trx
    .selectFrom('deployments')
    .select('shadow_of')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return row.shadow_of !== null;
}

/** A practice deployment goes on beside a real one. */
export async function setShadow(
  trx: Transaction,
  { practice, real }: { readonly practice: DeploymentId; readonly real: DeploymentId },
): Promise<void> {
  await trx
    .updateTable('deployments')
    .set({ shadow_of: real, revision: sql`revision + 1` })
    .where('id', '=', practice)
    .execute();
}
