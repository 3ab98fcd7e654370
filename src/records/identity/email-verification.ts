// Whether the mails of an account's address are read by its owner.
import type { UserId } from '#units/identifiers.ts';
import { type Instant, isoText } from '#units/instant.ts';
import type { Database } from '../postgres/database.ts';

type NewVerification = {
  /** Hash of the mailed token; the token itself is not stored. */
  readonly hash: Buffer;
  readonly userId: UserId;
  readonly at: Instant;
  readonly expiresAt: Instant;
};

export async function createVerification(database: Database, verification: NewVerification): Promise<void> {
  await database
    .insertInto('email_verifications')
    .values({
      token_hash: verification.hash,
      user_id: verification.userId,
      created_at: isoText(verification.at),
      expires_at: isoText(verification.expiresAt),
    })
    .execute();
}

/** The owner of a valid link. It may be opened again: mail programs open links before people do. */
export async function findVerified(
  database: Database,
  { hash, at }: { readonly hash: Buffer; readonly at: Instant },
): Promise<UserId | null> {
  const row = await database
    .selectFrom('email_verifications')
    .select('user_id')
    .where('token_hash', '=', hash)
    .where('expires_at', '>', new Date(at))
    .executeTakeFirst();
  return row?.user_id ?? null;
}

/** From now on the address is the person's; the first time counts. */
export async function markVerified(database: Database, id: UserId, at: Instant): Promise<void> {
  await database
    .updateTable('users')
    .set({ email_verified_at: isoText(at) })
    .where('id', '=', id)
    .where('email_verified_at', 'is', null)
    .execute();
}
