// What support wrote about clients. A note is not changed.
import { type Kysely, sql } from 'kysely';
import type { UserId } from '#units/identifiers.ts';
import { type Instant, isoText } from '#units/instant.ts';
import type { Tables } from '../tables.ts';

export type ClientNote = {
  readonly id: string;
  readonly note: string;
  /** The e-mail of the author. */
  readonly by: string;
  readonly at: Date;
};

type NewNote = {
  readonly id: string;
  readonly userId: UserId;
  readonly note: string;
  readonly by: UserId;
  readonly at: Instant;
};

/** Written once for an id. */
export async function insertClientNote(
  trx: Kysely<Tables>,
  { id, userId, note, by, at }: NewNote,
): Promise<void> {
  await trx
    .insertInto('client_notes')
    .values({ id, user_id: userId, note, written_by: by, written_at: isoText(at) })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
}

/** The newest first. */
export async function listClientNotes(
  database: Kysely<Tables>,
  { userId, max }: { readonly userId: UserId; readonly max: number },
): Promise<readonly ClientNote[]> {
  const { rows } = await sql<ClientNote>`
    select n.id, n.note, u.email as by, n.written_at as at from client_notes n join users u on u.id = n.written_by
    where n.user_id = ${userId} order by n.written_at desc, n.id limit ${max}`.execute(database);
  return rows;
}
