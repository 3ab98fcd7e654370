// The vendor's scheduled resets in New York time, the location of its servers for American accounts.
import { newYorkInstant, weekday } from '#engine/market/calendar-new-york-time.ts';
import type { BrokerReset } from '#ports/broker.ts';
import { addDays, type Instant, MINUTE_MS, utcDate } from '#units/instant.ts';

/**
 * The reset window that covers an instant. Every evening from Sunday to Thursday 23:45 to 00:45, and Friday 23:00 to
 * Saturday 03:00. We start each five minutes early, so that no order is in flight when it begins.
 */
export function resetAt(at: Instant): BrokerReset | null {
  for (const date of [addDays(utcDate(at), -2), addDays(utcDate(at), -1), utcDate(at)]) {
    const day = weekday(date);
    if (day === SATURDAY) continue;
    const [kind, start, minutes] = day === FRIDAY ? WEEKEND : DAILY;
    const begins = newYorkInstant(date, start);
    const from = (begins - EARLY_MS) as Instant;
    const until = (begins + minutes * MINUTE_MS) as Instant;
    if (from <= at && at < until) return { kind, from, until };
  }
  return null;
}

const FRIDAY = 5;
const SATURDAY = 6;
const DAILY = ['daily', 23 * 60 + 45, 60] as const;
const WEEKEND = ['weekend', 23 * 60, 240] as const;
const EARLY_MS = 5 * MINUTE_MS;
