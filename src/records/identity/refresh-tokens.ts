import { sql } from 'kysely';
import type { UserId } from '#units/identifiers.ts';
import { type Instant, isoText } from '#units/instant.ts';
import type { Database } from '../postgres/database.ts';

type NewRefreshToken = {
  readonly hash: Buffer;
  readonly sessionId: string;
  readonly issuedAt: Instant;
  readonly expiresAt: Instant;
};

export async function createRefreshToken(database: Database, token: NewRefreshToken): Promise<void> {
  await database
    .insertInto('refresh_tokens')
    .values({
      token_hash: token.hash,
      session_id: token.sessionId,
      issued_at: isoText(token.issuedAt),
      expires_at: isoText(token.expiresAt),
    })
    .execute();
}

export type FoundRefreshToken = {
  readonly userId: UserId;
  readonly sessionId: string;
  readonly remember: boolean;
  readonly sessionStartedAt: Date;
  readonly isSessionAlive: boolean;
  readonly expiresAt: Date;
  readonly rotatedAt: Date | null;
  /** The sealed successor, for the short grace in which the same answer is returned again. */
  readonly successor: string | null;
};

/** Locks the token for this transaction, so that two refreshes of it cannot both rotate it. */
export async function lockRefreshToken(
  database: Database,
  { hash, at }: { readonly hash: Buffer; readonly at: Instant },
): Promise<FoundRefreshToken | undefined> {
  const row = await database
    .selectFrom('refresh_tokens')
    .innerJoin('sessions', 'sessions.id', 'refresh_tokens.session_id')
    .select([
      'sessions.user_id',
      'sessions.id as session_id',
      'sessions.remember',
      'sessions.created_at',
      'refresh_tokens.expires_at',
      'refresh_tokens.rotated_at',
      'refresh_tokens.successor',
      sql<boolean>`sessions.ended_at is null and sessions.expires_at > ${isoText(at)}`.as('alive'),
    ])
    .where('refresh_tokens.token_hash', '=', hash)
    .forUpdate()
    .executeTakeFirst();
  if (!row) return undefined;
  return {
    userId: row.user_id,
    sessionId: row.session_id,
    remember: row.remember,
    sessionStartedAt: row.created_at,
    isSessionAlive: row.alive,
    expiresAt: row.expires_at,
    rotatedAt: row.rotated_at,
    successor: row.successor,
  };
}

/** Marks a token as spent and records its successor; the session lives as long as the successor. */
export async function rotateRefreshToken(
  database: Database,
  spent: { readonly hash: Buffer; readonly sealedSuccessor: string },
  successor: NewRefreshToken,
): Promise<void> {
  await createRefreshToken(database, successor);
  await database
    .updateTable('refresh_tokens')
    .set({ rotated_at: isoText(successor.issuedAt), successor: spent.sealedSuccessor })
    .where('token_hash', '=', spent.hash)
    .execute();
  await database
    .updateTable('sessions')
    .set({ expires_at: isoText(successor.expiresAt) })
    .where('id', '=', successor.sessionId)
    .execute();
}
