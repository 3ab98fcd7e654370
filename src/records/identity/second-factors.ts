import type { UserId } from '#units/identifiers.ts';
import { type Instant, isoText } from '#units/instant.ts';
import type { Database } from '../postgres/database.ts';

type Authenticator = { readonly sealedSecret: Buffer; readonly enabledAt: Date | null };

export async function findAuthenticator(
  database: Database,
  userId: UserId,
): Promise<Authenticator | undefined> {
  const row = await database
    .selectFrom('authenticators')
    .select(['sealed_secret', 'enabled_at'])
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return row && { sealedSecret: row.sealed_secret, enabledAt: row.enabled_at };
}

/** Takes the place of one that was never enabled. False when one is on. */
export async function prepareAuthenticator(
  database: Database,
  { userId, sealedSecret }: { readonly userId: UserId; readonly sealedSecret: Buffer },
): Promise<boolean> {
  const saved = await database
    .insertInto('authenticators')
    .values({ user_id: userId, sealed_secret: sealedSecret })
    .onConflict((conflict) =>
      conflict
        .column('user_id')
        .doUpdateSet({ sealed_secret: sealedSecret })
        .where('authenticators.enabled_at', 'is', null),
    )
    .returning('user_id')
    .executeTakeFirst();
  return saved !== undefined;
}

type UsedStep = { readonly userId: UserId; readonly step: number };

/** False when a code of this step or a later one was used: of two at once, one wins. */
export async function spendStep(database: Database, { userId, step }: UsedStep): Promise<boolean> {
  const spent = await database
    .updateTable('authenticators')
    .set({ last_step: step })
    .where('user_id', '=', userId)
    .where('last_step', '<', step)
    .returning('user_id')
    .executeTakeFirst();
  return spent !== undefined;
}

export async function enableAuthenticator(database: Database, userId: UserId, at: Instant): Promise<boolean> {
  const enabled = await database
    .updateTable('authenticators')
    .set({ enabled_at: isoText(at) })
    .where('user_id', '=', userId)
    .where('enabled_at', 'is', null)
    .returning('user_id')
    .executeTakeFirst();
  return enabled !== undefined;
}

export async function removeAuthenticator(database: Database, userId: UserId): Promise<void> {
  await database.deleteFrom('authenticators').where('user_id', '=', userId).execute();
}

/** An app that is on, or a passkey. */
export async function hasSecondFactor(database: Database, userId: UserId): Promise<boolean> {
  const found = await database
    .selectFrom('second_factors')
    .select('user_id')
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return found !== undefined;
}

export async function removeBackupCodes(database: Database, userId: UserId): Promise<void> {
  await database.deleteFrom('backup_codes').where('user_id', '=', userId).execute();
}

export async function replaceBackupCodes(
  database: Database,
  userId: UserId,
  { keyId, hashes }: { readonly keyId: string; readonly hashes: readonly Buffer[] },
): Promise<void> {
  await database.deleteFrom('backup_codes').where('user_id', '=', userId).execute();
  await database
    .insertInto('backup_codes')
    .values(hashes.map((hash) => ({ user_id: userId, code_hash: hash, hashed_with: keyId })))
    .execute();
}

/** False when there is no such code, or it was used. */
export async function spendBackupCode(
  database: Database,
  { userId, hash, at }: { readonly userId: UserId; readonly hash: Buffer; readonly at: Instant },
): Promise<boolean> {
  const spent = await database
    .updateTable('backup_codes')
    .set({ used_at: isoText(at) })
    .where('user_id', '=', userId)
    .where('code_hash', '=', hash)
    .where('used_at', 'is', null)
    .returning('user_id')
    .executeTakeFirst();
  return spent !== undefined;
}

export async function countBackupCodes(database: Database, userId: UserId): Promise<number> {
  const { left } = await database
    .selectFrom('backup_codes')
    .select(({ fn }) => fn.countAll<string>().as('left'))
    .where('user_id', '=', userId)
    .where('used_at', 'is', null)
    .executeTakeFirstOrThrow();
  return Number(left);
}
