// Whether the second feed of an instrument bears out the first. Nothing new is decided on a price or a bar in doubt.
import { addDays, type Instant, type IsoDate, MINUTE_MS, utcDate } from '#units/instant.ts';
import { isPriceTooOld, type Priced } from '../market/kinds/price-age.ts';
import type { Bar, Instrument, InstrumentKind } from '../market/instrument.ts';

/** What the second feed says about a quote of the first; `said` is its failure, in its words, where it gave none. */
export type CheckQuote = {
  readonly feed: string;
  readonly quote: { readonly last: number; readonly at: Instant } | null;
  readonly said: string | null;
};

/** The closes of the second feed, of days by date, of parts of a session by their end; null where it failed. */
export type CheckCloses = {
  readonly feed: string;
  readonly closes: ReadonlyMap<IsoDate | Instant, number> | null;
  readonly said: string | null;
};

export type FeedDoubt =
  /** The second feed has nothing to say about it. */
  | { readonly code: 'check_silent'; readonly feed: string; readonly said: string | null }
  | { readonly code: 'check_late'; readonly feed: string; readonly at: Instant }
  | {
      readonly code: 'feeds_differ';
      readonly feed: string;
      readonly price: number;
      readonly other: number;
      readonly tolerancePercent: number;
    };

type Quoted = {
  readonly last: number;
  readonly at: Instant;
  readonly open?: boolean;
  readonly check?: CheckQuote;
};

/** Null when there is no second feed, when nothing trades, or when both agree. Prices of different minutes may differ. */
export function findQuoteDoubt(
  { last, at, open, check }: Quoted,
  { instrument, now, speed }: Pick<Priced, 'now' | 'speed'> & { readonly instrument: Instrument },
): FeedDoubt | null {
  if (check === undefined || open !== true) return null;
  const { feed, quote, said } = check;
  if (quote === null) return { code: 'check_silent', feed, said };
  if (isPriceTooOld({ instrument, pricedAt: quote.at, now, speed }))
    return { code: 'check_late', feed, at: quote.at };
  return Math.abs(at - quote.at) <= MINUTE_MS
    ? findDifference(last, quote.last, { feed, kind: instrument.kind })
    : null;
}

/** Of the newest days only: a vendor may correct its older history, and nothing is decided on it again. */
export function findBarDoubt(
  { date, closedAt, close }: Pick<Bar, 'date' | 'closedAt' | 'close'>,
  check: CheckCloses,
  { kind, now }: Pick<Instrument, 'kind'> & { readonly now: Instant },
): FeedDoubt | null {
  if (date < addDays(utcDate(now), -CHECKED_DAYS)) return null;
  const { feed, closes, said } = check;
  const other = closes?.get(closedAt) ?? closes?.get(date);
  return other === undefined
    ? { code: 'check_silent', feed, said }
    : findDifference(close, other, { feed, kind });
}

/** How far back bars are checked, in calendar days. */
export const CHECKED_DAYS = 10;

function findDifference(
  price: number,
  other: number,
  { feed, kind }: { readonly feed: string; readonly kind: InstrumentKind },
): FeedDoubt | null {
  const tolerancePercent = TOLERANCE_PERCENT[kind];
  const apart = Math.abs(price - other) * 100;
  return apart <= tolerancePercent * Math.min(price, other)
    ? null
    : { code: 'feeds_differ', feed, price, other, tolerancePercent };
}

/**
 * How far two feeds may be apart, in percent of the lower price. Above the spread and the movement of a usual minute, and
 * below what a wrong price must be to matter.
 */
const TOLERANCE_PERCENT: { readonly [Kind in InstrumentKind]: number } = {
  equity: 1,
  forex: 0.25,
  crypto: 2,
  futures: 1,
  options: 25,
};
