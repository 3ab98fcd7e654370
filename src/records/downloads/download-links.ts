// Links to private files: each of one person, session and file, used once, within a minute.
import { type Kysely, sql } from 'kysely';
import type { UserId } from '#units/identifiers.ts';
import { type Instant, isoText } from '#units/instant.ts';
import type { Tables } from '../tables.ts';

export type LinkHolder = { readonly userId: UserId; readonly sessionId: string };

type NewLink = LinkHolder & {
  readonly hash: Buffer;
  readonly address: string;
  readonly at: Instant;
  readonly expiresAt: Instant;
};

/** Also deletes this person's expired ones. */
export async function createDownloadLink(database: Kysely<Tables>, link: NewLink): Promise<void> {
  await sql`delete from download_links where user_id = ${link.userId} and expires_at <= ${isoText(link.at)}`.execute(
    database,
  );
  await sql`insert into download_links (token_hash, user_id, session_id, address, expires_at)
    values (${link.hash}, ${link.userId}, ${link.sessionId}, ${link.address}, ${isoText(link.expiresAt)})`.execute(
    database,
  );
}

/** Uses it up: of two at once one finds it. Undefined where it was used, has expired or is of another file. */
export async function takeDownloadLink(
  database: Kysely<Tables>,
  { hash, address, at }: Pick<NewLink, 'hash' | 'address' | 'at'>,
): Promise<LinkHolder | undefined> {
  const { rows } = await sql<LinkHolder>`
    delete from download_links where token_hash = ${hash} and address = ${address} and expires_at > ${isoText(at)}
    returning user_id as "userId", session_id as "sessionId"`.execute(database);
  return rows[0];
}
