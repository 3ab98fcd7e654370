// Bars and snapshots of the stand-in for Alpaca's market data, as the vendor writes them.
import type { Bar } from '#engine/market/instrument.ts';
import { newYorkInstant } from '#engine/market/calendar-new-york-time.ts';
import type { PartRow } from '../../market/part-rows.ts';
import { type Instant, type IsoDate, instantOfDate, isoText } from '#units/instant.ts';

/** A day of shares begins at midnight in New York, one of coins at midnight UTC. */
export function dayStart(date: IsoDate, kind: 'share' | 'coin'): Instant {
  return kind === 'share' ? newYorkInstant(date, 0) : instantOfDate(date);
}

export function barRow({ date, open, high, low, close, volume }: Bar, kind: 'share' | 'coin') {
  return {
    t: isoText(dayStart(date, kind)),
    o: open,
    h: high,
    l: low,
    c: close,
    v: volume,
    n: 1,
    vw: close,
  };
}

/** The newest two days; the minute bar is the price of now. */
export function snapshotRow(
  quote: { last: number; bid: number; ask: number },
  t: string,
  { bars, kind }: { readonly bars: readonly Bar[]; readonly kind: 'share' | 'coin' },
) {
  const { last: c, bid: bp, ask: ap } = quote;
  const [before, newest] = bars.length === 2 ? bars : [undefined, bars[0]];
  const places =
    kind === 'share'
      ? {
          trade: { x: 'V', s: 100, c: ['@'], i: 1, z: 'C' },
          quote: { ax: 'V', as: 1, bx: 'V', bs: 1, c: ['R'], z: 'C' },
        }
      : { trade: { s: 0.1, tks: 'B', i: 1 }, quote: { as: 1, bs: 1 } };
  return {
    latestTrade: { t, p: c, ...places.trade },
    latestQuote: { t, ap, bp, ...places.quote },
    minuteBar: { t, o: c, h: c, l: c, c, v: 100, n: 1, vw: c },
    ...(newest && { dailyBar: barRow(newest, kind) }),
    ...(before && { prevDailyBar: barRow(before, kind) }),
  };
}

/** In minutes. */
export const TIMEFRAMES: ReadonlyMap<string, number> = new Map([
  ['1Min', 1],
  ['5Min', 5],
  ['15Min', 15],
  ['30Min', 30],
]);

export function partRow({ t, ...row }: PartRow) {
  return { t: isoText(t), ...row, vw: row.c };
}

/** A page of the rows of several symbols, and the token of the next. */
export function pageOf<Row>(
  rows: readonly { readonly symbol: string; readonly row: Row }[],
  { token, size }: { readonly token: string | undefined; readonly size: number },
) {
  const from = token === undefined ? 0 : Number(token);
  const bars: Record<string, Row[]> = {};
  for (const { symbol, row } of rows.slice(from, from + size)) (bars[symbol] ??= []).push(row);
  return { bars, next_page_token: from + size < rows.length ? String(from + size) : null };
}
