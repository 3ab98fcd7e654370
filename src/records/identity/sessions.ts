import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import type { UserId } from '#units/identifiers.ts';
import { type Instant, isoText } from '#units/instant.ts';
import type { Database } from '../postgres/database.ts';

type NewSession = {
  readonly userId: UserId;
  readonly remember: boolean;
  readonly at: Instant;
  readonly expiresAt: Instant;
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
    })
    .execute();
  return id;
}

type SessionCheck = { readonly sessionId: string; readonly userId: UserId; readonly at: Instant };

export async function isSessionAlive(pool: Pool, { sessionId, userId, at }: SessionCheck): Promise<boolean> {
  const { rowCount } = await pool.query(
    'select 1 from sessions where id = $1 and user_id = $2 and ended_at is null and expires_at > $3',
    [sessionId, userId, isoText(at)],
  );
  return rowCount === 1;
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
