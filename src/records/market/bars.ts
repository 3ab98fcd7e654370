// Closed bars, raw as reported or imported. A stored bar is never changed: writing the same bar again does nothing, a bar
// that differs is counted and skipped, and each is sealed over the one before (bar-chain.ts).
import { type Kysely, sql } from 'kysely';
import type { BarSeries } from '#engine/market/bar-series.ts';
import type { Bar } from '#engine/market/instrument.ts';
import type { Symbol } from '#units/identifiers.ts';
import { type Instant, type IsoDate, isoText, parseInstant } from '#units/instant.ts';
import { lockChain, type SealedBar, sealBars, writeHead } from './bar-chain.ts';
import type { BarKey } from './bar-key.ts';
import type { BarSource } from './instruments.ts';
import type { Tables } from '../tables.ts';

export type SavedBars = {
  readonly added: number;
  readonly alreadyStored: number;
  /** Days whose stored bar has other numbers; the stored ones stay. */
  readonly differing: readonly IsoDate[];
};

/** Stores new bars, in its own transaction or the caller's. The instrument must be stored. */
export async function saveBars(
  database: Kysely<Tables>,
  key: BarKey,
  bars: readonly Bar[],
): Promise<SavedBars> {
  if (database.isTransaction) return save(database, key, bars);
  return database.transaction().execute((transaction) => save(transaction, key, bars));
}

async function save(transaction: Kysely<Tables>, key: BarKey, bars: readonly Bar[]): Promise<SavedBars> {
  let head = await lockChain(transaction, key);
  let [added, alreadyStored] = [0, 0];
  const differing: IsoDate[] = [];
  for (let start = 0; start < bars.length; start += CHUNK) {
    const chunk = bars.slice(start, start + CHUNK);
    // An empty chain has no known bars.
    const known = head.link === 0 ? new Map<Instant, Bar>() : await listKnown(transaction, key, chunk);
    const fresh: Bar[] = [];
    for (const bar of chunk) {
      const before = known.get(bar.closedAt);
      if (before === undefined) {
        known.set(bar.closedAt, bar);
        fresh.push(bar);
      } else if (isSame(before, bar)) alreadyStored += 1;
      else differing.push(bar.date);
    }
    const last = await insertSealed(transaction, key, sealBars(head, fresh));
    added += fresh.length;
    head = last ?? head;
  }
  return { added, alreadyStored, differing };
}

/** Oldest first. `asOf` leaves out bars that closed after it. */
export async function listBars(
  database: Kysely<Tables>,
  key: BarKey,
  range: { from?: IsoDate; to?: IsoDate; asOf?: Instant } = {},
): Promise<Bar[]> {
  let query = ofKey(database, key).select(COLUMNS).orderBy('closed_at');
  if (range.from !== undefined) query = query.where('date', '>=', range.from);
  if (range.to !== undefined) query = query.where('date', '<=', range.to);
  if (range.asOf !== undefined) query = query.where('closed_at', '<=', new Date(range.asOf));
  return (await query.execute()).map(toBar);
}

/** The newest `count` bars, oldest first. */
export async function listLastBars(database: Kysely<Tables>, key: BarKey, count: number): Promise<Bar[]> {
  const rows = await ofKey(database, key).select(COLUMNS).orderBy('closed_at', 'desc').limit(count).execute();
  return rows.toReversed().map(toBar);
}

/** The newest `count` bars of each of these symbols, newest first; symbols without bars are absent. */
export async function listNewestBars(
  database: Kysely<Tables>,
  symbols: readonly Symbol[],
  { interval, source, count }: Omit<BarKey, 'symbol'> & { readonly count: number },
): Promise<Map<Symbol, Bar[]>> {
  const { rows } = await sql<Row & { symbol: Symbol }>`
    select asked.symbol, b.* from unnest(${symbols}::text[]) as asked (symbol) cross join lateral (
      select opened_at, closed_at, date, open, high, low, close, volume from bars
      where symbol = asked.symbol and interval = ${interval} and source = ${source}
      order by closed_at desc limit ${count}) b order by asked.symbol, b.closed_at desc`.execute(database);
  const bars = new Map<Symbol, Bar[]>();
  for (const row of rows) bars.set(row.symbol, [...(bars.get(row.symbol) ?? []), toBar(row)]);
  return bars;
}

/** The oldest `count` bars, oldest first. */
export async function listFirstBars(database: Kysely<Tables>, key: BarKey, count: number): Promise<Bar[]> {
  const rows = await ofKey(database, key).select(COLUMNS).orderBy('closed_at').limit(count).execute();
  return rows.map(toBar);
}

export type BarSummary = BarKey & {
  readonly count: number;
  readonly firstDate: IsoDate;
  readonly lastDate: IsoDate;
};

export async function listBarSummaries(database: Kysely<Tables>, source: BarSource): Promise<BarSummary[]> {
  const rows = await database
    .selectFrom('bars')
    .select((row) => [
      'symbol',
      'interval',
      row.fn.countAll<string>().as('count'),
      row.fn.min('date').as('first'),
      row.fn.max('date').as('last'),
    ])
    .where('source', '=', source)
    .groupBy(['symbol', 'interval'])
    .orderBy('symbol')
    .orderBy('interval')
    .execute();
  return rows.map((row) => ({
    symbol: row.symbol as Symbol,
    interval: row.interval as BarSeries['interval'],
    source,
    count: Number(row.count),
    firstDate: row.first as IsoDate,
    lastDate: row.last as IsoDate,
  }));
}

/** Other symbols of the source with identical closes at the same times as these bars. */
export async function listSymbolsWithSameBars(
  database: Kysely<Tables>,
  key: BarKey,
  bars: readonly Bar[],
): Promise<Symbol[]> {
  const sample = everyNth(bars, SAMPLE);
  const times = sample.map((bar) => isoText(bar.closedAt));
  const closes = sample.map((bar) => bar.close);
  // A lookup by key for each sampled bar, stopped at the first that differs: a join would read every series whole.
  const found = await sql<{ symbol: Symbol }>`
    select i.symbol from instruments i
    where i.symbol <> ${key.symbol} and not exists (
      select 1 from unnest(${times}::timestamptz[], ${closes}::float8[]) as s(closed_at, close)
      where s.close is distinct from (
        select b.close from bars b where b.symbol = i.symbol and b.interval = ${key.interval}
          and b.source = ${key.source} and b.closed_at = s.closed_at))
    order by i.symbol`.execute(database);
  return found.rows.map((row) => row.symbol);
}

/** Removes a series, which its chain remembers; returns how many bars it had. */
export async function removeBars(database: Kysely<Tables>, key: BarKey): Promise<number> {
  const remove = async (transaction: Kysely<Tables>) => {
    const head = await lockChain(transaction, key);
    const [last] = await listLastBars(transaction, key, 1);
    if (last === undefined) return 0;
    await sql`select set_config('bellwether.removes_series', 'on', true)`.execute(transaction);
    const removed = await transaction
      .deleteFrom('bars')
      .where('symbol', '=', key.symbol)
      .where('interval', '=', key.interval)
      .where('source', '=', key.source)
      .executeTakeFirst();
    await sql`select set_config('bellwether.removes_series', 'off', true)`.execute(transaction);
    await writeHead(transaction, key, { ...head, kind: 'removed', date: last.date });
    return Number(removed.numDeletedRows);
  };
  return database.isTransaction ? remove(database) : database.transaction().execute(remove);
}

function ofKey(database: Kysely<Tables>, key: BarKey) {
  return database
    .selectFrom('bars')
    .where('symbol', '=', key.symbol)
    .where('interval', '=', key.interval)
    .where('source', '=', key.source);
}

/** Returns the new end of the chain; undefined when nothing was new. */
async function insertSealed(
  transaction: Kysely<Tables>,
  key: BarKey,
  bars: readonly SealedBar[],
): Promise<SealedBar | undefined> {
  const last = bars.at(-1);
  if (last === undefined) return undefined;
  const column = (pick: (bar: Bar) => number) => bars.map(pick);
  const seals = bars.map(({ seal }) => `\\x${seal.toString('hex')}`);
  await sql`
    insert into bars (symbol, interval, source, closed_at, opened_at, date, open, high, low, close, volume, link, seal)
    select ${key.symbol}, ${key.interval}, ${key.source}, b.* from unnest(
      ${bars.map((bar) => isoText(bar.closedAt))}::timestamptz[], ${bars.map((bar) => isoText(bar.openedAt))}::timestamptz[],
      ${bars.map((bar) => bar.date)}::date[], ${column((bar) => bar.open)}::float8[], ${column((bar) => bar.high)}::float8[],
      ${column((bar) => bar.low)}::float8[], ${column((bar) => bar.close)}::float8[], ${column((bar) => bar.volume)}::float8[],
      ${bars.map(({ link }) => link)}::int[], ${seals}::bytea[]
    ) as b(closed_at, opened_at, date, open, high, low, close, volume, link, seal)`.execute(transaction);
  await writeHead(transaction, key, { ...last, kind: 'added' });
  return last;
}

/** The stored bars at the times of these. */
async function listKnown(
  database: Kysely<Tables>,
  key: BarKey,
  bars: readonly Bar[],
): Promise<Map<Instant, Bar>> {
  const times = bars.map((bar) => bar.closedAt);
  const rows = await ofKey(database, key)
    .select(COLUMNS)
    .where('closed_at', '>=', new Date(times.reduce((least, time) => Math.min(least, time), Infinity)))
    .where('closed_at', '<=', new Date(times.reduce((most, time) => Math.max(most, time), -Infinity)))
    .execute();
  return new Map(rows.map((row) => [parseInstant(row.closed_at), toBar(row)]));
}

function isSame(left: Bar, right: Bar): boolean {
  return (
    left.open === right.open &&
    left.high === right.high &&
    left.low === right.low &&
    left.close === right.close &&
    left.volume === right.volume
  );
}

const COLUMNS = ['opened_at', 'closed_at', 'date', 'open', 'high', 'low', 'close', 'volume'] as const;

type Row = {
  opened_at: Date;
  closed_at: Date;
  date: string;
  open: number;
  high: number;
  low: number;
  close: number;
  volume: number;
};

function toBar(row: Row): Bar {
  return {
    openedAt: parseInstant(row.opened_at),
    closedAt: parseInstant(row.closed_at),
    date: row.date as IsoDate,
    open: row.open,
    high: row.high,
    low: row.low,
    close: row.close,
    volume: row.volume,
  };
}

function everyNth(bars: readonly Bar[], count: number): readonly Bar[] {
  const stride = Math.max(1, Math.floor(bars.length / count));
  return bars.filter((_, i) => i % stride === 0);
}

const CHUNK = 10_000;
/** Bars compared when searching for the same series under another name: enough to rule out a chance match. */
const SAMPLE = 200;
