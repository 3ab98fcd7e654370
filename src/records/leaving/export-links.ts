import { type Kysely, sql } from 'kysely';
import type { UserId } from '#units/identifiers.ts';
import { type Instant, isoText } from '#units/instant.ts';
import type { Tables } from '../tables.ts';

type Link = {
  readonly hash: Buffer;
  readonly userId: UserId;
  readonly at: Instant;
  readonly expiresAt: Instant;
};

/** One at a time: a new one ends those before it. */
export async function createExportLink(database: Kysely<Tables>, link: Link): Promise<void> {
  await sql`delete from export_links where user_id = ${link.userId}`.execute(database);
  await sql`insert into export_links (token_hash, user_id, expires_at)
    values (${link.hash}, ${link.userId}, ${isoText(link.expiresAt)})`.execute(database);
}

/** Uses it up. Undefined where it was used, has expired or never was. */
export async function useExportLink(
  database: Kysely<Tables>,
  hash: Buffer,
  at: Instant,
): Promise<UserId | undefined> {
  const { rows } = await sql<{ user_id: UserId; expires_at: Date }>`
    delete from export_links l using users u where l.token_hash = ${hash} and u.id = l.user_id and u.disabled_at is null
    returning l.user_id, l.expires_at`.execute(database);
  const [link] = rows;
  return link !== undefined && link.expires_at.getTime() > at ? link.user_id : undefined;
}
