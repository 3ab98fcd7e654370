// Whether a quote may be used. It is checked against the last accepted quote and against the newest few closes: one of them
// must make it plausible, so that none, once wrong, keeps the true prices out for good, after a restart neither.
import type { Instant, IsoDate } from '#units/instant.ts';
import { nextTradingDay, previousSession, sessionAt, type TradingCalendar } from '../market/calendar.ts';
import type { CorporateAction } from '../market/corporate-action.ts';
import type { CalendarId } from '../market/instrument.ts';
import { isOutsidePriceBand, type KnownPrice, priceOn } from './price-band.ts';

export type QuotedPrice = { readonly last: number; readonly bid: number; readonly ask: number };

export type QuoteFault =
  | { readonly code: 'not_a_price'; readonly of: keyof QuotedPrice; readonly price: number }
  | { readonly code: 'crossed'; readonly bid: number; readonly ask: number }
  | { readonly code: 'too_old'; readonly at: Instant }
  /** Too old, because its exchange is closed by the feed, against our calendar. */
  | { readonly code: 'exchange_closed'; readonly at: Instant }
  /** Too old, because its exchange does not trade it. */
  | { readonly code: 'halted'; readonly since: Instant; readonly said: string }
  | { readonly code: 'outside_price_band'; readonly last: number; readonly before: number };

/** Why it is invalid, independent of earlier prices; null when it is valid. */
export function validateQuote(quote: QuotedPrice): QuoteFault | null {
  for (const field of ['last', 'bid', 'ask'] as const) {
    const price = quote[field];
    if (!(price > 0) || !Number.isFinite(price)) return { code: 'not_a_price', of: field, price };
  }
  const { bid, ask } = quote;
  return bid > ask ? { code: 'crossed', bid, ask } : null;
}

type Share = { readonly calendar: CalendarId; readonly actions: readonly CorporateAction[] };

/** Why no known price makes it plausible; null when one does. */
export function findBandBreach(
  { last, at }: { readonly last: number; readonly at: Instant },
  known: readonly KnownPrice[],
  { calendar, actions }: Share,
): QuoteFault | null {
  // Only a split distinguishes the shares of two days.
  const days = actions.length === 0 ? [null] : quotedDays(calendar, at);
  const before = known.flatMap((one) =>
    days.map((day) => (day === null ? one.price : priceOn(one, day, actions))),
  );
  const [first] = before;
  if (first === undefined || before.some((price) => !isOutsidePriceBand(price, last))) return null;
  return { code: 'outside_price_band', last, before: first };
}

/**
 * The first and the last trading day whose shares a quote may be in: the same day twice while a session is open, both
 * neighbours between two sessions. Feeds differ in whether they then show the last trade as it was, or adjusted for the
 * next opening.
 */
export function quotedDays(calendar: TradingCalendar, at: Instant): readonly [last: IsoDate, next: IsoDate] {
  const open = sessionAt(calendar, at);
  if (open !== null) return [open.date, open.date];
  const { date } = previousSession(calendar, at);
  return [date, nextTradingDay(calendar, date)];
}
