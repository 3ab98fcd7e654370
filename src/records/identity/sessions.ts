import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import type { UserId } from '#units/identifiers.ts';
import { type Instant, isoText, MINUTE_MS } from '#units/instant.ts';
import type { Database } from '../postgres/database.ts';
import { idList } from '../postgres/id-list.ts';
import { isUuid } from '../postgres/is-uuid.ts';

type NewSession = {
  readonly userId: UserId;
  readonly remember: boolean;
  readonly at: Instant;
  readonly expiresAt: Instant;
  readonly address: string;
  readonly userAgent: string;
};

/** Returns the id of the session. */
export async function createSession(database: Database, session: NewSession): Promise<string> {
  const id = randomUUID();
  await database
    .insertInto('sessions')
    .values({
      id,
      user_id: session.userId,
      remember: session.remember,
      created_at: isoText(session.at),
      expires_at: isoText(session.expiresAt),
      address: session.address,
      user_agent: session.userAgent.slice(0, USER_AGENT_LENGTH_MAX),
      last_used_at: isoText(session.at),
      confirmed_at: isoText(session.at),
    })
    .execute();
  return id;
}

type SessionCheck = { readonly sessionId: string; readonly userId: UserId; readonly at: Instant };

const USER_AGENT_LENGTH_MAX = 300;
/** A use is noted at most once in this time. */
const NOTED_EVERY_MS = MINUTE_MS;

export type SessionState = {
  /** Of staff whose sign-in has no second factor. */
  readonly isOfBareStaff: boolean;
};

/** Null when the session has ended. Notes from where it is used. */
export async function confirmSession(
  pool: Pool,
  { sessionId, userId, at, address }: SessionCheck & { readonly address: string },
): Promise<SessionState | null> {
  const found = (await listLiveSessions(pool, [{ sessionId, userId }], at)).get(sessionId);
  if (found === undefined) return null;
  await noteUse(pool, found, { sessionId, at, address });
  return found;
}

export type LiveSession = SessionState & { readonly userId: UserId; readonly lastUsedAt: Date };

/** Those of these sessions that have not ended, each only for its own person. */
export async function listLiveSessions(
  pool: Pool,
  asked: readonly Pick<SessionCheck, 'sessionId' | 'userId'>[],
  at: Instant,
): Promise<ReadonlyMap<string, LiveSession>> {
  const known = asked.filter(({ sessionId, userId }) => isUuid(sessionId) && isUuid(userId));
  const { rows } = await pool.query<LiveSession & { readonly id: string }>(
    `select s.id, s.user_id as "userId", s.last_used_at as "lastUsedAt", u.role <> 'investor' and not exists (
         select from second_factors f where f.user_id = u.id) as "isOfBareStaff"
     from unnest($1::uuid[], $2::uuid[]) as asked (id, user_id)
       join sessions s on s.id = asked.id and s.user_id = asked.user_id join users u on u.id = s.user_id
     where ${isLive('$3')}`,
    [idList(known.map(({ sessionId }) => sessionId)), idList(known.map(({ userId }) => userId)), isoText(at)],
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/** Of the given sessions those that have ended, or whose person was disabled. */
export async function listEndedSessions(
  pool: Pool,
  { sessions, at }: { readonly sessions: readonly string[]; readonly at: Instant },
): Promise<ReadonlySet<string>> {
  const { rows } = await pool.query<{ id: string }>(
    `select asked.id from unnest($1::uuid[]) as asked (id) where not exists (
      select from sessions s join users u on u.id = s.user_id where s.id = asked.id and ${isLive('$2')})`,
    [idList(sessions), isoText(at)],
  );
  return new Set(rows.map(({ id }) => id));
}

/** Of a session `s` and its user `u`. */
function isLive(at: string): string {
  return `s.ended_at is null and s.expires_at > ${at} and u.disabled_at is null`;
}

export async function noteUse(
  pool: Pool,
  { lastUsedAt }: LiveSession,
  { sessionId, at, address }: Omit<SessionCheck, 'userId'> & { readonly address: string },
): Promise<void> {
  if (at - lastUsedAt.getTime() < NOTED_EVERY_MS) return;
  await pool.query(
    'update sessions set last_used_at = greatest(last_used_at, $2), address = $3 where id = $1',
    [sessionId, isoText(at), address],
  );
}

export type Confirmation = {
  readonly confirmedAt: Date;
  readonly hasSecondFactor: boolean;
  readonly hasPasskey: boolean;
};

/** When the person last proved in this session who they are. */
export async function findConfirmation(pool: Pool, sessionId: string): Promise<Confirmation | null> {
  const { rows } = await pool.query<Confirmation>(
    `select s.confirmed_at as "confirmedAt",
       exists (select from second_factors f where f.user_id = s.user_id) as "hasSecondFactor",
       exists (select from passkeys p where p.user_id = s.user_id) as "hasPasskey"
     from sessions s where s.id = $1`,
    [sessionId],
  );
  return rows[0] ?? null;
}

export async function noteConfirmation(database: Database, sessionId: string, at: Instant): Promise<void> {
  await database
    .updateTable('sessions')
    .set({ confirmed_at: isoText(at) })
    .where('id', '=', sessionId)
    .execute();
}

export type SessionRecord = {
  readonly id: string;
  readonly createdAt: Date;
  readonly lastUsedAt: Date;
  readonly address: string;
  readonly userAgent: string;
};

/** Those that have not ended, the newest use first. */
export async function listSessions(
  database: Database,
  { userId, at }: Pick<SessionCheck, 'userId' | 'at'>,
): Promise<SessionRecord[]> {
  const rows = await database
    .selectFrom('sessions')
    .select(['id', 'created_at', 'last_used_at', 'address', 'user_agent'])
    .where('user_id', '=', userId)
    .where('ended_at', 'is', null)
    .where('expires_at', '>', new Date(at))
    .orderBy('last_used_at', 'desc')
    .orderBy('id')
    .limit(LISTED_MAX)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
    address: row.address,
    userAgent: row.user_agent,
  }));
}

const LISTED_MAX = 100;

/** False when this person has no such session that goes on. */
export async function endOwnSession(
  database: Database,
  { sessionId, userId, at }: SessionCheck,
): Promise<boolean> {
  if (!isUuid(sessionId)) return false;
  const ended = await database
    .updateTable('sessions')
    .set({ ended_at: isoText(at) })
    .where('id', '=', sessionId)
    .where('user_id', '=', userId)
    .where('ended_at', 'is', null)
    .where('expires_at', '>', new Date(at))
    .returning('id')
    .executeTakeFirst();
  return ended !== undefined;
}

export async function endSession(database: Database, sessionId: string, at: Instant): Promise<void> {
  await database
    .updateTable('sessions')
    .set({ ended_at: isoText(at) })
    .where('id', '=', sessionId)
    .where('ended_at', 'is', null)
    .execute();
}

/** Ends every session of a person except the current one. */
export async function endOtherSessions(
  database: Database,
  { userId, sessionId, at }: SessionCheck,
): Promise<void> {
  await database
    .updateTable('sessions')
    .set({ ended_at: isoText(at) })
    .where('user_id', '=', userId)
    .where('id', '<>', sessionId)
    .where('ended_at', 'is', null)
    .execute();
}

export async function endEverySession(database: Database, userId: UserId, at: Instant): Promise<void> {
  await database
    .updateTable('sessions')
    .set({ ended_at: isoText(at) })
    .where('user_id', '=', userId)
    .where('ended_at', 'is', null)
    .execute();
}
