// Passkeys of a person, and the challenges that they sign.
import { createHash, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { UserId } from '#units/identifiers.ts';
import { type Instant, isoText, MINUTE_MS } from '#units/instant.ts';
import type { Database } from '../postgres/database.ts';
import { isUuid } from '../postgres/is-uuid.ts';

export type Passkey = {
  readonly id: string;
  readonly credentialId: string;
  readonly publicKey: Buffer;
  readonly counter: number;
  readonly transports: readonly string[];
  readonly isSynced: boolean;
  readonly name: string;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
};

/** The oldest first. */
export async function listPasskeys(database: Database, userId: UserId): Promise<readonly Passkey[]> {
  const rows = await database
    .selectFrom('passkeys')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  return rows.map((row) => ({
    id: row.id,
    credentialId: row.credential_id,
    publicKey: row.public_key,
    counter: Number(row.counter),
    transports: row.transports,
    isSynced: row.is_synced,
    name: row.name,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
  }));
}

type NewPasskey = Omit<Passkey, 'createdAt' | 'lastUsedAt'> & {
  readonly userId: UserId;
  readonly at: Instant;
};

/** False when the key is known already. */
export async function insertPasskey(database: Database, passkey: NewPasskey): Promise<boolean> {
  const saved = await database
    .insertInto('passkeys')
    .values({
      id: passkey.id,
      user_id: passkey.userId,
      credential_id: passkey.credentialId,
      public_key: passkey.publicKey,
      counter: passkey.counter,
      transports: [...passkey.transports],
      is_synced: passkey.isSynced,
      name: passkey.name,
      created_at: isoText(passkey.at),
    })
    .onConflict((conflict) => conflict.column('credential_id').doNothing())
    .returning('id')
    .executeTakeFirst();
  return saved !== undefined;
}

/** Until the end of the transaction nobody adds or removes a second factor of this person. */
export async function lockSecondFactors(trx: Database, userId: UserId): Promise<void> {
  await trx.selectFrom('users').select('id').where('id', '=', userId).forUpdate().execute();
}

type Own = { readonly id: string; readonly userId: UserId };

/** False when this person has no such passkey. */
export async function renamePasskey(database: Database, { id, userId }: Own, name: string): Promise<boolean> {
  if (!isUuid(id)) return false;
  const renamed = await database
    .updateTable('passkeys')
    .set({ name })
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .returning('id')
    .executeTakeFirst();
  return renamed !== undefined;
}

/** False when this person has no such passkey. */
export async function removePasskey(database: Database, { id, userId }: Own): Promise<boolean> {
  if (!isUuid(id)) return false;
  const removed = await database
    .deleteFrom('passkeys')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .returning('id')
    .executeTakeFirst();
  return removed !== undefined;
}

/** False when the counter has not risen: somebody has a copy. Devices that do not count always say 0. */
export async function notePasskeyUse(
  database: Database,
  { id, counter, at }: { readonly id: string; readonly counter: number; readonly at: Instant },
): Promise<boolean> {
  const noted = await database
    .updateTable('passkeys')
    .set({ counter, last_used_at: isoText(at) })
    .where('id', '=', id)
    .where(sql<boolean>`(counter < ${counter} or (counter = 0 and ${counter} = 0))`)
    .returning('id')
    .executeTakeFirst();
  return noted !== undefined;
}

/** What a challenge is for: none serves another end, person or session. */
export type ChallengeFor = { readonly userId: UserId } & (
  | { readonly purpose: 'sign_in'; readonly sessionId: null }
  | { readonly purpose: 'add' | 'confirm'; readonly sessionId: string }
);

export const CHALLENGE_MS = 5 * MINUTE_MS;

/** 256 random bits; only the hash is stored. Those of this person that have expired, and all but the newest few, go. */
export async function createChallenge(
  database: Database,
  wanted: ChallengeFor,
  at: Instant,
): Promise<Buffer> {
  const challenge = randomBytes(32);
  await database
    .deleteFrom('passkey_challenges')
    .where('user_id', '=', wanted.userId)
    .where(
      sql<boolean>`(expires_at <= ${isoText(at)} or challenge_hash not in (
        select challenge_hash from passkey_challenges where user_id = ${wanted.userId}
        order by expires_at desc limit ${OPEN_MAX - 1}))`,
    )
    .execute();
  await database
    .insertInto('passkey_challenges')
    .values({
      challenge_hash: hashOf(challenge),
      user_id: wanted.userId,
      purpose: wanted.purpose,
      session_id: wanted.sessionId,
      expires_at: isoText((at + CHALLENGE_MS) as Instant),
    })
    .execute();
  return challenge;
}

/** More than a person opens at once. */
const OPEN_MAX = 20;

/** False when it was never given, has expired or was spent: of two at once, one wins. */
export async function spendChallenge(
  database: Database,
  {
    challenge,
    wanted,
    at,
  }: { readonly challenge: Buffer; readonly wanted: ChallengeFor; readonly at: Instant },
): Promise<boolean> {
  const spent = await database
    .deleteFrom('passkey_challenges')
    .where('challenge_hash', '=', hashOf(challenge))
    .where('user_id', '=', wanted.userId)
    .where('purpose', '=', wanted.purpose)
    .where(sql<boolean>`session_id is not distinct from ${wanted.sessionId}::uuid`)
    .where('expires_at', '>', new Date(at))
    .returning('user_id')
    .executeTakeFirst();
  return spent !== undefined;
}

function hashOf(challenge: Buffer): Buffer {
  return createHash('sha256').update(challenge).digest();
}
