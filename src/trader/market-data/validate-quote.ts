// Whether a quote may be decided on. It is held against the last one that was believed and against the newest bar: one of
// them must have it possible, so that neither, once wrong, keeps the true prices out for ever.
import { nextTradingDay, previousSession, sessionAt } from '#engine/market/calendar.ts';
import type { CorporateAction } from '#engine/market/corporate-action.ts';
import type { CalendarId } from '#engine/market/instrument.ts';
import type { MarketQuote } from '#ports/market-data.ts';
import type { Instant, IsoDate } from '#units/instant.ts';
import { isOutsidePriceBand, type KnownPrice, priceOn } from './price-band.ts';

/** Why it is no price at all, whatever was known before; null when it is one. */
export function validateQuote({ last, bid, ask }: MarketQuote): string | null {
  if (!(last > 0) || !Number.isFinite(last)) return `it is ${last}`;
  return bid > ask ? `its bid of ${bid} is above its ask of ${ask}` : null;
}

type Share = { readonly calendar: CalendarId; readonly actions: readonly CorporateAction[] };

/** Why no price that is known has it possible; null when one has. */
export function findBandBreach(
  { last, at }: Pick<MarketQuote, 'last' | 'at'>,
  known: readonly KnownPrice[],
  { calendar, actions }: Share,
): string | null {
  if (known.length === 0) return null;
  // Only a split tells one day's shares from another's.
  const days = actions.length === 0 ? [null] : quotedDays(calendar, at);
  const before = known.flatMap((one) =>
    days.map((day) => (day === null ? one.price : priceOn(one, day, actions))),
  );
  if (before.some((price) => !isOutsidePriceBand(price, last))) return null;
  return `it is ${last} after ${before[0]}: more than tenfold`;
}

/**
 * The first and the last trading day whose shares a quote may be of: twice the one that is open, and between two sessions
 * both. Feeds differ in whether they then tell the last trade as it was, or as the next opening will count it.
 */
export function quotedDays(calendar: CalendarId, at: Instant): readonly [last: IsoDate, next: IsoDate] {
  const open = sessionAt(calendar, at);
  if (open !== null) return [open.date, open.date];
  const { date } = previousSession(calendar, at);
  return [date, nextTradingDay(calendar, date)];
}
