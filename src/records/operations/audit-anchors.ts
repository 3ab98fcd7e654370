// Anchors of the audit log, as they are signed and sent. Their copies outside of the database are what counts.
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../tables.ts';

/** One process at a time makes the next anchor. Until the transaction ends. */
export async function lockAnchors(trx: Kysely<Tables>): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('audit anchors', 0))`.execute(trx);
}

export type AnchorRow = {
  readonly number: number;
  /** The signed line. */
  readonly line: string;
  readonly mailedAt: Date | null;
};

/** From the one after `after` on, oldest first. */
export async function listAnchorRows(
  database: Kysely<Tables>,
  { after }: { readonly after: number },
): Promise<readonly AnchorRow[]> {
  const rows = await database
    .selectFrom('audit_anchors')
    .select(['number', 'line', 'mailed_at'])
    .where('number', '>', String(after))
    .orderBy('number')
    .execute();
  return rows.map(anchorRow);
}

export async function findNewestAnchorRow(database: Kysely<Tables>): Promise<AnchorRow | null> {
  const row = await database
    .selectFrom('audit_anchors')
    .select(['number', 'line', 'mailed_at'])
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row === undefined ? null : anchorRow(row);
}

export async function saveAnchor(
  trx: Kysely<Tables>,
  { number, line, at }: { readonly number: number; readonly line: string; readonly at: string },
): Promise<void> {
  await trx
    .insertInto('audit_anchors')
    .values({ number: String(number), line, anchored_at: at })
    .execute();
}

/** Oldest first. */
export async function listUnposted(database: Kysely<Tables>, limit: number): Promise<readonly AnchorRow[]> {
  const rows = await database
    .selectFrom('audit_anchors')
    .select(['number', 'line', 'mailed_at'])
    .where('posted_at', 'is', null)
    .orderBy('number')
    .limit(limit)
    .execute();
  return rows.map(anchorRow);
}

export async function markPosted(database: Kysely<Tables>, number: number): Promise<void> {
  await database
    .updateTable('audit_anchors')
    .set({ posted_at: sql<Date>`clock_timestamp()` })
    .where('number', '=', String(number))
    .execute();
}

/** False when an anchor was mailed within so many hours: of several processes, one mails. */
export async function takeMailing(
  database: Kysely<Tables>,
  { number, hours }: { readonly number: number; readonly hours: number },
): Promise<boolean> {
  const taken = await database
    .updateTable('audit_anchors')
    .set({ mailed_at: sql<Date>`clock_timestamp()` })
    .where('number', '=', String(number))
    .where(
      sql<boolean>`not exists (select from audit_anchors
        where mailed_at > clock_timestamp() - ${hours} * interval '1 hour')`,
    )
    .returning('number')
    .executeTakeFirst();
  return taken !== undefined;
}

/** It was not accepted. */
export async function giveMailingBack(database: Kysely<Tables>, number: number): Promise<void> {
  await database
    .updateTable('audit_anchors')
    .set({ mailed_at: null })
    .where('number', '=', String(number))
    .execute();
}

function anchorRow(row: { number: string; line: string; mailed_at: Date | null }): AnchorRow {
  return { number: Number(row.number), line: row.line, mailedAt: row.mailed_at };
}
