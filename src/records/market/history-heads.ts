// The files of the market history as the records know them: which there are, and the seals that they may end with.
import { type Kysely, sql } from 'kysely';
import type { BarInterval } from '#engine/market/instrument.ts';
import type { HistoryFile } from '#ports/market-history.ts';
import type { Symbol } from '#units/identifiers.ts';
import { type Instant, isoText, parseInstant } from '#units/instant.ts';
import type { BarKey } from './bar-key.ts';
import type { BarSource } from './instruments.ts';
import type { Tables } from '../tables.ts';

export type HistoryHead = {
  readonly file: string;
  readonly seal: string;
  readonly rowGroups: number;
  readonly bars: number;
  readonly revised: number;
  readonly knownAt: Instant;
};

/** `state`: prepared before the file takes its place, written after it, removed when it leaves the store. */
export async function writeHistoryHead(
  database: Kysely<Tables>,
  key: BarKey,
  { state, ...head }: HistoryHead & { readonly state: 'prepared' | 'written' | 'removed' },
): Promise<void> {
  await sql`
    insert into history_heads (file, source, interval, symbol, state, row_groups, bars, revised, known_at, seal)
    values (${head.file}, ${key.source}, ${key.interval}, ${key.symbol}, ${state}, ${head.rowGroups}, ${head.bars},
      ${head.revised}, ${isoText(head.knownAt)}, decode(${head.seal}, 'hex'))`.execute(database);
}

export type StoredFile = BarKey<BarInterval> &
  HistoryFile & {
    readonly bars: number;
    readonly rowGroups: number;
    /** Of all writes. */
    readonly revised: number;
    readonly knownAt: Instant;
  };

type Chosen = {
  readonly source?: BarSource;
  readonly interval?: BarInterval;
  readonly symbols?: readonly Symbol[];
};

/** In the order in which they began. */
export async function listHistoryFiles(database: Kysely<Tables>, chosen: Chosen = {}): Promise<StoredFile[]> {
  const { source = null, interval = null, symbols = null } = chosen;
  const { rows } = await sql<Row>`
    with chosen as (
      select * from history_heads where (${source}::text is null or source = ${source})
        and (${interval}::text is null or interval = ${interval})
        and (${symbols}::text[] is null or symbol = any(${symbols}::text[]))),
    written as (select file, max(id) filter (where state = 'written') as id, min(id) as began,
      coalesce(sum(revised) filter (where state = 'written'), 0)::int as revised
      from chosen group by file having not bool_or(state = 'removed'))
    select c.file, c.source, c.interval, c.symbol, w.revised, w.id is null as "mayBeMissing",
      array_agg(encode(c.seal, 'hex') order by c.id) as seals,
      (array_agg(c.bars order by c.id desc))[1]::float8 as bars, (array_agg(c.row_groups order by c.id desc))[1] as row_groups,
      (array_agg(c.known_at order by c.id desc))[1] as known_at
    from chosen c join written w on w.file = c.file and c.id >= coalesce(w.id, 0)
    group by c.file, c.source, c.interval, c.symbol, w.revised, w.id, w.began order by c.symbol, c.interval, w.began`.execute(
    database,
  );
  return rows.map(({ row_groups, known_at, ...row }) => ({
    ...row,
    rowGroups: row_groups,
    knownAt: parseInstant(known_at),
  }));
}

type Row = Omit<StoredFile, 'rowGroups' | 'knownAt'> & {
  readonly row_groups: number;
  readonly known_at: Date;
};

/** When the newest of these seals became known; null when none of them is of a file of the series. */
export async function findKnownAt(
  database: Kysely<Tables>,
  key: BarKey,
  seals: Readonly<Record<string, string>>,
): Promise<Instant | null> {
  const { rows } = await sql<{ known_at: Date | null }>`
    select max(h.known_at) as known_at from history_heads h
    join jsonb_each_text(${JSON.stringify(seals)}::jsonb) named on named.key = h.file and named.value = encode(h.seal, 'hex')
    where h.source = ${key.source} and h.interval = ${key.interval} and h.symbol = ${key.symbol}`.execute(
    database,
  );
  const knownAt = rows[0]?.known_at ?? null;
  return knownAt === null ? null : parseInstant(knownAt);
}

/** Every name that files of a series have or had. */
export async function listHistoryNames(database: Kysely<Tables>, key: BarKey): Promise<string[]> {
  const { rows } = await sql<{ file: string }>`
    select distinct file from history_heads
    where source = ${key.source} and interval = ${key.interval} and symbol = ${key.symbol}`.execute(database);
  return rows.map(({ file }) => file);
}

export async function wasImported(database: Kysely<Tables>, fingerprint: Buffer): Promise<boolean> {
  const { rows } = await sql`select from history_imports where fingerprint = ${fingerprint}`.execute(
    database,
  );
  return rows.length > 0;
}

export async function noteImport(database: Kysely<Tables>, fingerprint: Buffer): Promise<void> {
  await sql`insert into history_imports (fingerprint) values (${fingerprint}) on conflict do nothing`.execute(
    database,
  );
}

/** One command at a time writes to the store; the others wait. `work` may use other connections. */
export async function withHistoryLock<Result>(
  database: Kysely<Tables>,
  work: () => Promise<Result>,
): Promise<Result> {
  return database.connection().execute(async (connection) => {
    await sql`select pg_advisory_lock(${LOCK})`.execute(connection);
    try {
      return await work();
    } finally {
      await sql`select pg_advisory_unlock(${LOCK})`.execute(connection);
    }
  });
}

const LOCK = 7_241_190_332;
