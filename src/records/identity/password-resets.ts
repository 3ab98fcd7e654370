import type { UserId } from '#units/identifiers.ts';
import { type Instant, isoText } from '#units/instant.ts';
import type { Database } from '../postgres/database.ts';

type NewPasswordReset = {
  /** Hash of the mailed token; the token itself is not stored. */
  readonly hash: Buffer;
  readonly userId: UserId;
  readonly at: Instant;
  readonly expiresAt: Instant;
};

export async function createPasswordReset(database: Database, reset: NewPasswordReset): Promise<void> {
  await database
    .insertInto('password_resets')
    .values({
      token_hash: reset.hash,
      user_id: reset.userId,
      created_at: isoText(reset.at),
      expires_at: isoText(reset.expiresAt),
    })
    .execute();
}

/** The owner of a valid token; of two concurrent uses the second waits and then finds it used. */
export async function lockPasswordReset(
  database: Database,
  { hash, at }: { readonly hash: Buffer; readonly at: Instant },
): Promise<UserId | null> {
  const row = await database
    .selectFrom('password_resets')
    .select('user_id')
    .where('token_hash', '=', hash)
    .where('used_at', 'is', null)
    .where('expires_at', '>', new Date(at))
    .forUpdate()
    .executeTakeFirst();
  return row ? row.user_id : null;
}

/** A new password invalidates every link mailed before it. */
export async function endPasswordResets(database: Database, userId: UserId, at: Instant): Promise<void> {
  await database
    .updateTable('password_resets')
    .set({ used_at: isoText(at) })
    .where('user_id', '=', userId)
    .where('used_at', 'is', null)
    .execute();
}
