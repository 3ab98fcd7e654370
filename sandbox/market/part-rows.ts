// Bars of minutes and of several minutes at the stand-ins for vendors, from the prices of the market minute by minute. As the vendors':
// aligned to the clock, from before and after the session too, the one that is under way as far as it has come, and none for a time
// in which nothing traded.
import { hours, type Session } from '#engine/market/calendar.ts';
import type { Symbol } from '#units/identifiers.ts';
import { addDays, HOUR_MS, type Instant, instant, type IsoDate, MINUTE_MS, utcDate } from '#units/instant.ts';
import type { PriceSource } from './price-source.ts';

export type PartSettings = {
  readonly prices: PriceSource;
  readonly now: () => Instant;
  /** Of shares; coins trade around the clock. */
  readonly sessionOn: (date: IsoDate) => Session | null;
  /** Minutes in which nothing trades. */
  readonly untraded?: ((symbol: Symbol, minute: Instant) => boolean) | undefined;
};

export type PartRow = {
  readonly t: Instant;
  readonly o: number;
  readonly h: number;
  readonly l: number;
  readonly c: number;
  readonly v: number;
  readonly n: number;
};

type Span = { readonly start: Instant; readonly end: Instant; readonly minutes: number };

export function partRows(settings: PartSettings, symbol: Symbol, { start, end, minutes }: Span) {
  const rows: PartRow[] = [];
  const isShare = settings.prices.instruments.some((one) => one.symbol === symbol && one.kind === 'equity');
  for (let date = utcDate(start); date <= utcDate(end); date = addDays(date, 1)) {
    const session = isShare ? settings.sessionOn(date) : hours('crypto', date);
    if (session === null) continue;
    const beside = isShare ? HOUR_MS : 0;
    const until = Math.min(session.closesAt + beside, settings.now(), end + 1);
    for (let t = session.opensAt - beside; t < until; t += minutes * MINUTE_MS) {
      if (t < start) continue;
      const row = rowOf(settings, symbol, { at: instant(t), minutes, session });
      if (row !== null) rows.push(row);
    }
  }
  return rows;
}

type Part = { readonly at: Instant; readonly minutes: number; readonly session: Session };

function rowOf(
  { prices, now, untraded }: PartSettings,
  symbol: Symbol,
  { at, minutes, session }: Part,
): PartRow | null {
  const ends = [];
  for (let minute = 0; minute < minutes; minute++) {
    const begins = instant(at + minute * MINUTE_MS);
    if (begins >= now() || untraded?.(symbol, begins) === true) continue;
    ends.push([begins, Math.min(begins + MINUTE_MS, now())] as const);
  }
  const traded = ends.flatMap(([begins, ended]) => [
    priceAt(prices, symbol, begins, session),
    priceAt(prices, symbol, ended, session),
  ]);
  if (traded.length === 0) return null;
  const close = traded.at(-1)!;
  return {
    t: at,
    o: traded[0]!,
    h: Math.max(...traded),
    l: Math.min(...traded),
    c: close,
    v: 100 * ends.length,
    n: ends.length,
  };
}

const kept = new WeakMap<PriceSource, Map<string, Map<number, number>>>();

/** Kept, because a page of bars is made anew for each request. */
function priceAt(prices: PriceSource, symbol: Symbol, at: number, { date }: Session): number {
  const days = kept.get(prices) ?? new Map<string, Map<number, number>>();
  kept.set(prices, days);
  const key = `${symbol} ${date}`;
  const day = days.get(key) ?? new Map<number, number>();
  days.set(key, day);
  const known = day.get(at) ?? prices.quote(symbol, at as Instant)?.last ?? 0;
  day.set(at, known);
  return known;
}
