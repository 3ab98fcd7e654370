import { nextSession, sessionAt, type TradingCalendar } from '../../market/calendar.ts';
import type { Instant } from '#units/instant.ts';

/**
 * Our orders are good for a day: they end by themselves when the session in which they are, or the next one if they
 * were placed outside of one, closes.
 */
export function dayOrderEndsAt(calendar: TradingCalendar, placedAt: Instant): Instant {
  return (sessionAt(calendar, placedAt) ?? nextSession(calendar, placedAt)).closesAt;
}
