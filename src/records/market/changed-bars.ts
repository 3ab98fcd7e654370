// Finds bars that were changed after they were written: by their seals, and by the recorded ends of the chains. Reports
// the symbol and the day of each break.
import { type Kysely, sql } from 'kysely';
import type { BarSeries } from '#engine/market/bar-series.ts';
import type { Symbol } from '#units/identifiers.ts';
import type { IsoDate } from '#units/instant.ts';
import type { BarSource } from './instruments.ts';
import type { Tables } from '../tables.ts';

type ChangedBar = {
  readonly symbol: Symbol;
  readonly interval: BarSeries['interval'];
  readonly source: BarSource;
  readonly date: IsoDate;
  /** As a sentence. */
  readonly reason: string;
};

type Chosen = {
  readonly symbols: readonly Symbol[];
  readonly source: BarSource;
  readonly interval: BarSeries['interval'];
};

/** Empty when every bar is as written. Checks all series unless given some. */
export async function findChangedBars(database: Kysely<Tables>, chosen?: Chosen): Promise<ChangedBar[]> {
  const ofBars = only(chosen, 'b');
  const ofHeads = only(chosen, 'h');
  const { rows } = await sql<ChangedBar>`
    with ends as (
      select h.symbol, h.interval, h.source, max(h.link) as newest,
        coalesce(max(h.link) filter (where h.kind = 'removed'), 0) as base
      from bar_heads h where ${ofHeads} group by h.symbol, h.interval, h.source),
    starts as (
      select e.*, coalesce(h.seal, first_seal(e.symbol, e.interval, e.source)) as first
      from ends e left join bar_heads h on h.kind = 'removed' and h.link = e.base
        and (h.symbol, h.interval, h.source) = (e.symbol, e.interval, e.source)),
    chain as (
      select b.*, s.newest, coalesce(lag(b.link) over series, s.base) as link_before,
        coalesce(lag(b.seal) over series, s.first) as seal_before
      from bars b left join starts s using (symbol, interval, source) where ${ofBars}
      window series as (partition by b.symbol, b.interval, b.source order by b.link))
    select symbol, interval, source, date, case
        when link <> link_before + 1 then 'Bars before this day are gone, or it was put in later.'
        when link > newest or newest is null then 'This day was never written down by the product.'
        else 'Its numbers are not the ones that were written down.' end as reason
    from chain
    where newest is null or link > newest or link <> link_before + 1
      or seal <> bar_seal(seal_before, closed_at, opened_at, date, open, high, low, close, volume)
    union all
    select h.symbol, h.interval, h.source, h.date, case
        when b.link is null then 'This day was written down and is gone.'
        else 'The days up to this one are not the ones that were written down.' end
    from bar_heads h join starts s using (symbol, interval, source)
    left join bars b on b.symbol = h.symbol and b.interval = h.interval and b.source = h.source and b.link = h.link
    where h.link > s.base and h.seal is distinct from b.seal
    order by 1, 2, 3, 4`.execute(database);
  return rows;
}

/** The last seal of each series, as hex: it identifies all its bars so far. */
export async function listChainHeads(
  database: Kysely<Tables>,
  { symbols, source, interval }: Chosen,
): Promise<{ [symbol: string]: string }> {
  const { rows } = await sql<{ symbol: string; seal: string }>`
    select distinct on (symbol) symbol, encode(seal, 'hex') as seal from bar_heads
    where symbol = any(${symbols}) and interval = ${interval} and source = ${source}
    order by symbol, id desc`.execute(database);
  return Object.fromEntries(rows.map(({ symbol, seal }) => [symbol, seal]));
}

function only(chosen: Chosen | undefined, table: 'b' | 'h') {
  if (chosen === undefined) return sql`true`;
  const of = sql.ref(`${table}.symbol`);
  return sql`${of} = any(${chosen.symbols}) and ${sql.ref(`${table}.source`)} = ${chosen.source}
    and ${sql.ref(`${table}.interval`)} = ${chosen.interval}`;
}
