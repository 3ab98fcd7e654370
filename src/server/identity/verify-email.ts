import { randomUUID } from 'node:crypto';
import type { identityEndpoints } from '#contract/identity.ts';
import { findVerified, markVerified } from '#records/identity/email-verification.ts';
import { resetTokenHash } from '#records/identity/reset-token.ts';
import { enqueueVerification } from '#records/notifications/mails.ts';
import type { Database } from '#records/postgres/database.ts';
import type { UserId } from '#units/identifiers.ts';
import { type Instant, MINUTE_MS } from '#units/instant.ts';
import type { Call } from '../http/call.ts';
import { refuse } from '../http/refusal.ts';

/** Prevents flooding another person's mailbox. */
const LINKS_MAX = 3;
const LINKS_WITHIN_MS = 15 * MINUTE_MS;

/** Nothing for an address that is verified. */
export function mailVerification(database: Database, userId: UserId, at: Instant): Promise<void> {
  const since = (at - LINKS_WITHIN_MS) as Instant;
  return enqueueVerification(database, { id: randomUUID(), userId, at, since, most: LINKS_MAX });
}

export const sendVerification: Call<typeof identityEndpoints.sendVerification> = (
  { caller },
  { records, now },
) => mailVerification(records.database, caller.userId, now());

export const verifyEmail: Call<typeof identityEndpoints.verifyEmail> = async ({ body }, { records, now }) => {
  const at = now();
  const userId = await findVerified(records.database, { hash: resetTokenHash(body.token), at });
  if (userId === null)
    return refuse('invalid_token', 'This link has expired or was never valid. Sign in and send a new one.');
  await markVerified(records.database, userId, at);
  return undefined;
};
