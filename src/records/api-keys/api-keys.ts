// Personal API keys. Of a secret only the hash is stored; it is 256 random bits, so that a plain hash is enough.
import { createHash } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import type { KeyScope } from '#rules/api-keys/key-terms.ts';
import type { DeploymentId, UserId } from '#units/identifiers.ts';
import { type Instant, isoText, MINUTE_MS, utcDate } from '#units/instant.ts';
import { type Micro, parseMicro } from '#units/money.ts';
import { isUuid } from '../postgres/is-uuid.ts';
import type { Database, Transaction } from '../postgres/database.ts';
import type { Tables } from '../tables.ts';

export type ApiKeyRecord = {
  readonly id: string;
  readonly name: string;
  readonly prefix: string;
  readonly scopes: readonly KeyScope[];
  readonly budget: Micro | null;
  readonly held: Micro;
  readonly actsPerDay: number | null;
  readonly actsToday: number;
  readonly deployments: readonly DeploymentId[];
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly lastUsedAt: Date | null;
  readonly revokedAt: Date | null;
};

type NewApiKey = {
  readonly id: string;
  readonly userId: UserId;
  readonly name: string;
  readonly prefix: string;
  readonly secret: string;
  readonly scopes: readonly KeyScope[];
  readonly budget: Micro | null;
  readonly actsPerDay: number | null;
  readonly deployments: readonly DeploymentId[];
  readonly at: Instant;
  readonly expiresAt: Instant;
};

export async function insertApiKey(trx: Transaction, key: NewApiKey): Promise<void> {
  await trx
    .insertInto('api_keys')
    .values({
      id: key.id,
      user_id: key.userId,
      name: key.name,
      prefix: key.prefix,
      secret_hash: hashOf(key.secret),
      scopes: [...key.scopes],
      budget_micro: key.budget,
      acts_per_day: key.actsPerDay,
      created_at: isoText(key.at),
      expires_at: isoText(key.expiresAt),
    })
    .execute();
  if (key.deployments.length === 0) return;
  await trx
    .insertInto('api_key_deployments')
    .values(
      key.deployments.map((deployment) => ({
        user_id: key.userId,
        api_key_id: key.id,
        deployment_id: deployment,
        is_made: false,
      })),
    )
    .execute();
}

/** Of those named, the person's own that have not ended. */
export async function listOwnLive(
  database: Database,
  userId: UserId,
  ids: readonly string[],
): Promise<readonly DeploymentId[]> {
  const named = ids.filter((id) => isUuid(id));
  if (named.length === 0) return [];
  const { rows } = await sql<{ id: DeploymentId }>`
    select id from live_deployments where user_id = ${userId} and id = any(${named}::uuid[])`.execute(
    database,
  );
  return rows.map(({ id }) => id);
}

export async function countWorkingKeys(database: Database, userId: UserId, at: Instant): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from api_keys
    where user_id = ${userId} and revoked_at is null and expires_at > ${isoText(at)}`.execute(database);
  return rows[0]!.count;
}

type Row = {
  id: string;
  name: string;
  prefix: string;
  scopes: KeyScope[];
  budget_micro: string | null;
  held: string;
  acts_per_day: number | null;
  acts_today: number;
  deployments: DeploymentId[];
  created_at: Date;
  expires_at: Date;
  last_used_at: Date | null;
  revoked_at: Date | null;
};

/** The newest first; revoked and expired ones for a while, so that its owner sees what became of them. */
export async function listApiKeys(
  database: Database,
  { userId, at, id = null }: { readonly userId: UserId; readonly at: Instant; readonly id?: string | null },
): Promise<readonly ApiKeyRecord[]> {
  const { rows } = await sql<Row>`
    select k.id, k.name, k.prefix, k.scopes, k.budget_micro::text, held_by_key(k.id)::text as held, k.acts_per_day,
      (select count(*)::int from api_key_acts a where a.api_key_id = k.id and ${countsOn(at)}) as acts_today,
      array(select deployment_id from api_key_deployments d where d.api_key_id = k.id order by deployment_id) as deployments,
      k.created_at, k.expires_at, k.last_used_at, k.revoked_at
    from api_keys k where k.user_id = ${userId} and (${id}::uuid is null or k.id = ${id}::uuid)
    order by k.created_at desc, k.id limit 100`.execute(database);
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    prefix: row.prefix,
    scopes: row.scopes,
    budget: row.budget_micro === null ? null : parseMicro(row.budget_micro),
    held: parseMicro(row.held),
    actsPerDay: row.acts_per_day,
    actsToday: row.acts_today,
    deployments: row.deployments,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    lastUsedAt: row.last_used_at,
    revokedAt: row.revoked_at,
  }));
}

/** Acts `a` of the day (UTC): what we refused is none. */
export function countsOn(at: Instant) {
  return sql`a.status <> 'refused' and a.requested_at >= ${`${utcDate(at)}T00:00:00Z`}::timestamptz`;
}

export type KeyInUse = { readonly id: string; readonly userId: UserId; readonly scopes: readonly KeyScope[] };

/** Null when it never was, is revoked or has expired, or its owner is disabled or of the staff. Read on each call: a key that is revoked is refused at once. */
export async function findKeyInUse(
  database: Kysely<Tables>,
  secret: string,
  at: Instant,
): Promise<KeyInUse | null> {
  const { rows } = await sql<{
    id: string;
    user_id: UserId;
    scopes: KeyScope[];
    last_used_at: Date | null;
  }>`
    select k.id, k.user_id, k.scopes, k.last_used_at from api_keys k join users u on u.id = k.user_id
    where k.secret_hash = ${hashOf(secret)} and k.revoked_at is null and k.expires_at > ${isoText(at)}
      and u.disabled_at is null and u.role = 'investor'`.execute(database);
  const [found] = rows;
  if (found === undefined) return null;
  if (found.last_used_at === null || at - found.last_used_at.getTime() >= MINUTE_MS)
    await sql`update api_keys set last_used_at = greatest(last_used_at, ${isoText(at)}) where id = ${found.id}`.execute(
      database,
    );
  return { id: found.id, userId: found.user_id, scopes: found.scopes };
}

type Own = { readonly id: string; readonly userId: UserId; readonly at: Instant };

/** False when this person has no such key. What waited by it is withdrawn. True when it was revoked before. */
export async function revokeApiKey(
  trx: Transaction,
  { id, userId, at }: Own,
): Promise<'absent' | 'revoked' | 'was revoked'> {
  if (!isUuid(id)) return 'absent';
  const { rows } = await sql<{ revoked_at: Date | null }>`
    select revoked_at from api_keys where id = ${id} and user_id = ${userId} for update`.execute(trx);
  const [found] = rows;
  if (found === undefined) return 'absent';
  if (found.revoked_at !== null) return 'was revoked';
  await sql`update api_keys set revoked_at = ${isoText(at)} where id = ${id}`.execute(trx);
  await sql`update api_key_acts set status = 'withdrawn', decided_at = ${isoText(at)}
    where api_key_id = ${id} and status = 'waiting' and expires_at > ${isoText(at)}`.execute(trx);
  return 'revoked';
}

/** After somebody else may have had the account. Answers how many. */
export async function revokeAllKeys(trx: Database, { userId, at }: Omit<Own, 'id'>): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    with gone as (update api_keys set revoked_at = ${isoText(at)} where user_id = ${userId} and revoked_at is null
      returning id)
    update api_key_acts a set status = 'withdrawn', decided_at = ${isoText(at)} from gone
    where a.api_key_id = gone.id and a.status = 'waiting' and a.expires_at > ${isoText(at)} returning a.id`.execute(
    trx,
  );
  return rows.length;
}

function hashOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}
