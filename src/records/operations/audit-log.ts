// Reads and verifies the audit log. The database's own triggers write it; see schema/audit.sql.
// hash = SHA-256 of: previous_hash, seq, at (UTC, microseconds), actor, action, subject, details, joined by line feeds.
import { createHash } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../tables.ts';

export type AuditRow = {
  readonly seq: string;
  /** UTC with microseconds, as hashed. */
  readonly at: string;
  readonly actor: string;
  readonly action: string;
  readonly subject: string;
  readonly details: string;
  readonly previous_hash: string;
  readonly hash: string;
};

export type AuditHead = { readonly seq: number; readonly hash: string };

/** Names the actor of this transaction for the audit log; without it the row's owner is named. */
export async function actAs(trx: Kysely<Tables>, actor: string): Promise<void> {
  await sql`select set_config('bellwether.actor', ${actor}, true)`.execute(trx);
}

/** One server may hold several worlds, each with its own log. */
export async function databaseName(database: Kysely<Tables>): Promise<string> {
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(database);
  return rows[0]!.name;
}

/** Null for an empty log. */
export async function findAuditHead(database: Kysely<Tables>): Promise<AuditHead | null> {
  const { rows } = await sql<{ seq: string; hash: string }>`
    select seq, hash from audit_log order by seq desc limit 1`.execute(database);
  const row = rows[0];
  return row ? { seq: Number(row.seq), hash: row.hash } : null;
}

/** Null when there is no such row. */
export async function findAuditHash(database: Kysely<Tables>, seq: number): Promise<string | null> {
  const { rows } = await sql<{ hash: string }>`select hash from audit_log where seq = ${seq}`.execute(
    database,
  );
  return rows[0]?.hash ?? null;
}

type AuditCheck = { readonly rows: number; readonly broken: string | null };

/** Reads the whole chain; `broken` is the first row that is missing or was changed. */
export async function checkAuditChain(
  database: Kysely<Tables>,
  anchors: readonly Pick<AuditHead, 'seq' | 'hash'>[],
): Promise<AuditCheck> {
  const anchored = new Map(anchors.map(({ seq, hash }) => [seq, hash]));
  let previous = '0'.repeat(64);
  let seq = 0;
  for (;;) {
    const batch = await readBatch(database, seq);
    for (const row of batch) {
      const number = Number(row.seq);
      if (number !== seq + 1) return { rows: seq, broken: `row ${seq + 1} is missing` };
      if (row.previous_hash !== previous)
        return { rows: seq, broken: `row ${number} does not follow row ${seq}` };
      if (row.hash !== auditHash(row)) return { rows: seq, broken: `row ${number} is not what was written` };
      const anchor = anchored.get(number);
      if (anchor !== undefined && anchor !== row.hash)
        return { rows: seq, broken: `row ${number} is not the one that was anchored outside the database` };
      previous = row.hash;
      seq = number;
    }
    if (batch.length < BATCH) break;
  }
  const beyond = anchors.find((anchor) => anchor.seq > seq);
  return beyond
    ? { rows: seq, broken: `row ${seq + 1} is missing: row ${beyond.seq} was anchored outside the database` }
    : { rows: seq, broken: null };
}

/** The oldest row that an anchor should have followed long ago, and none did; null when there is none. */
export async function findUnanchored(
  database: Kysely<Tables>,
  anchoredRow: number,
): Promise<{ readonly seq: number; readonly at: string } | null> {
  const { rows } = await sql<{ seq: string; at: string }>`
    select seq::text, to_char(at at time zone 'UTC', 'YYYY-MM-DD HH24:MI') || ' UTC' as at from audit_log
    where seq > ${anchoredRow} and at < clock_timestamp() - interval '15 minutes' order by seq limit 1`.execute(
    database,
  );
  const [row] = rows;
  return row === undefined ? null : { seq: Number(row.seq), at: row.at };
}

export type AuditRowTime = { readonly seq: number; readonly at: Date };

/** Of those rows that exist. */
export async function listRowTimes(
  database: Kysely<Tables>,
  rows: readonly number[],
): Promise<readonly AuditRowTime[]> {
  const found = await database
    .selectFrom('audit_log')
    .select(['seq', 'at'])
    .where('seq', '=', sql<string>`any(${rows.map(String)}::bigint[])`)
    .execute();
  return found.map(({ seq, at }) => ({ seq: Number(seq), at }));
}

/** Whether its hash is that of its contents. */
export function isSealed(row: AuditRow): boolean {
  return row.hash === auditHash(row);
}

function auditHash(row: Omit<AuditRow, 'hash'>): string {
  const { previous_hash, seq, at, actor, action, subject, details } = row;
  const said = [previous_hash, seq, at, actor, action, subject, details].join('\n');
  return createHash('sha256').update(said, 'utf8').digest('hex');
}

async function readBatch(database: Kysely<Tables>, after: number): Promise<readonly AuditRow[]> {
  const { rows } = await sql<AuditRow>`
    select seq::text, to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at, actor, action, subject,
      details, previous_hash, hash
    from audit_log l where l.seq > ${after} order by l.seq limit ${BATCH}`.execute(database);
  return rows;
}

const BATCH = 5_000;
