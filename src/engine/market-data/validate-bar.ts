// Whether a bar of a feed may be kept. A bad bar is never repaired.
import type { Instant, IsoDate } from '#units/instant.ts';
import { isTradingDay } from '../market/calendar.ts';
import type { CorporateAction } from '../market/corporate-action.ts';
import type { Bar, Instrument } from '../market/instrument.ts';
import { isOutsidePriceBand, priceOn } from './price-band.ts';

export type BarFault =
  | {
      readonly code:
        | 'number_missing'
        | 'not_bracketed'
        | 'closes_before_open'
        | 'not_closed'
        | 'not_after_last';
    }
  | { readonly code: 'low_not_positive'; readonly low: number }
  | { readonly code: 'volume_negative'; readonly volume: number }
  | { readonly code: 'no_trading_day'; readonly date: IsoDate }
  /** `before` is the last known close; null when the bar was checked against the next one, or itself. */
  | ({ readonly code: 'outside_price_band'; readonly before: number | null } & Pick<
      Bar,
      'open' | 'high' | 'low' | 'close'
    >);

export type BarSurroundings = {
  readonly instrument: Instrument;
  /** The bars before it, oldest first, limited to the last ones that are checked. */
  readonly before: readonly Bar[];
  /** The bar that follows; used for the very first bar only, which has nothing else to be checked against. */
  readonly after: Bar | null;
  readonly actions: readonly CorporateAction[];
  readonly now: Instant;
};

/** Null when it is valid. */
export function validateBar(bar: Bar, surroundings: BarSurroundings): BarFault | null {
  const { instrument, now } = surroundings;
  const before = surroundings.before.at(-1) ?? null;
  const { open, high, low, close, volume, date } = bar;
  if (![open, high, low, close, volume].every(Number.isFinite)) return { code: 'number_missing' };
  if (!(low > 0)) return { code: 'low_not_positive', low };
  if (high < Math.max(open, close) || low > Math.min(open, close)) return { code: 'not_bracketed' };
  if (volume < 0) return { code: 'volume_negative', volume };
  if (!(bar.openedAt < bar.closedAt)) return { code: 'closes_before_open' };
  if (bar.closedAt > now) return { code: 'not_closed' };
  if (before !== null && bar.closedAt <= before.closedAt) return { code: 'not_after_last' };
  if (!isTradingDay(instrument.calendar, date)) return { code: 'no_trading_day', date };
  return findBandBreach(bar, surroundings);
}

/**
 * All four of its prices are checked against one close, because an error in any of them would be kept for good. One of
 * the last closes must make them plausible, not only the very last: a wrong last close would keep all true bars out.
 */
function findBandBreach(bar: Bar, { before, after, actions }: BarSurroundings): BarFault | null {
  const { open, high, low, close, date } = bar;
  const closes = before.map((one) => priceOn({ price: one.close, date: one.date }, date, actions));
  if (after !== null && closes.length === 0)
    closes.push(priceOn({ price: after.open, date: after.date }, date, actions));
  if (closes.length === 0) closes.push(open);
  const isPossible = (known: number) =>
    [open, high, low, close].every((price) => !isOutsidePriceBand(known, price));
  if (closes.some(isPossible)) return null;
  const last = before.length > 0 ? (closes.at(-1) ?? null) : null;
  return { code: 'outside_price_band', before: last, open, high, low, close };
}
