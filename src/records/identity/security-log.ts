import { sql } from 'kysely';
import type { SecurityEventKind } from '#rules/identity/security-event.ts';
import type { UserId } from '#units/identifiers.ts';
import { HOUR_MS, type Instant, isoText } from '#units/instant.ts';
import type { Database } from '../postgres/database.ts';

type NewSecurityEvent = {
  readonly userId: UserId;
  readonly kind: SecurityEventKind;
  readonly address: string;
  readonly userAgent: string;
  readonly at: Instant;
};

/** Keeps the newest of a person. What a stranger can repeat without end is written once an hour. */
export async function saveSecurityEvent(database: Database, event: NewSecurityEvent): Promise<void> {
  const { userId, kind, address, userAgent, at } = event;
  const since = kind === 'guesses_limited' ? isoText((at - HOUR_MS) as Instant) : null;
  await sql`
    insert into account_events (user_id, kind, address, user_agent, at)
    select ${userId}, ${kind}, ${address}, ${userAgent.slice(0, USER_AGENT_LENGTH_MAX)}, ${isoText(at)}
    where ${since}::timestamptz is null or not exists (
      select from account_events where user_id = ${userId} and kind = ${kind} and at > ${since}::timestamptz)`.execute(
    database,
  );
  await sql`
    delete from account_events where user_id = ${userId} and id <= (
      select id from account_events where user_id = ${userId} order by id desc offset ${KEPT} limit 1)`.execute(
    database,
  );
}

const USER_AGENT_LENGTH_MAX = 300;
const KEPT = 300;

type SecurityEventRecord = {
  readonly kind: SecurityEventKind;
  readonly address: string;
  readonly userAgent: string;
  readonly at: Date;
};

/** The newest first. */
export async function listSecurityEvents(
  database: Database,
  userId: UserId,
  limit: number,
): Promise<SecurityEventRecord[]> {
  const rows = await database
    .selectFrom('account_events')
    .select(['kind', 'address', 'user_agent', 'at'])
    .where('user_id', '=', userId)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  return rows.map(({ kind, address, user_agent: userAgent, at }) => ({
    kind: kind as SecurityEventKind,
    address,
    userAgent,
    at,
  }));
}
