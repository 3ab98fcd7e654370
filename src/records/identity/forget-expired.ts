// What no longer signs anybody in goes: ended sessions with their tokens, used links, and the answers kept for repeated requests.
import { sql } from 'kysely';
import { DAY_MS, type Instant, isoText } from '#units/instant.ts';
import type { Database } from '../postgres/database.ts';

/** Days after which each is gone. docs/security.md says the same. */
export const KEPT_DAYS = { session: 90, link: 7, answer: 30 } as const;

/** A few thousand of each: what is left goes the next time. */
const AT_ONCE = 5_000;

export async function forgetExpired(database: Database, at: Instant): Promise<void> {
  const before = (days: number) => isoText((at - days * DAY_MS) as Instant);
  const { session, link, answer } = KEPT_DAYS;
  await sql`delete from sessions where id in (select id from sessions
    where least(ended_at, expires_at) < ${before(session)} limit ${AT_ONCE})`.execute(database);
  await sql`delete from refresh_tokens where token_hash in (select token_hash from refresh_tokens
    where expires_at < ${before(link)} limit ${AT_ONCE})`.execute(database);
  await sql`delete from password_resets where token_hash in (select token_hash from password_resets
    where expires_at < ${before(link)} limit ${AT_ONCE})`.execute(database);
  await sql`delete from email_verifications where token_hash in (select token_hash from email_verifications
    where expires_at < ${before(link)} limit ${AT_ONCE})`.execute(database);
  await sql`delete from download_links where token_hash in (select token_hash from download_links
    where expires_at < ${isoText(at)} limit ${AT_ONCE})`.execute(database);
  await sql`delete from passkey_challenges where challenge_hash in (select challenge_hash from passkey_challenges
    where expires_at < ${isoText(at)} limit ${AT_ONCE})`.execute(database);
  await sql`delete from idempotency_keys where (user_id, endpoint, key) in (select user_id, endpoint, key
    from idempotency_keys where created_at < ${before(answer)} limit ${AT_ONCE})`.execute(database);
}
