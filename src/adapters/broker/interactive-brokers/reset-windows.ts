// The vendor's scheduled resets in New York time, the location of its servers for American accounts.
import { newYorkInstant, weekday } from '#engine/market/calendar-new-york-time.ts';
import type { BrokerReset } from '#ports/broker.ts';
import { addDays, MINUTE_MS } from '#units/instant.ts';
import { msBetween, type WallInstant, wallAfter, wallDate, wallInstantOf } from '#units/wall-instant.ts';

/**
 * The reset window that covers an instant. Every evening from Sunday to Thursday 23:45 to 00:45, and Friday 23:00 to
 * Saturday 03:00. We start each five minutes early, so that no order is in flight when it begins.
 */
export function resetAt(at: WallInstant): BrokerReset | null {
  const today = wallDate(at);
  for (const date of [addDays(today, -2), addDays(today, -1), today]) {
    const day = weekday(date);
    if (day === SATURDAY) continue;
    const [kind, start, minutes] = day === FRIDAY ? WEEKEND : DAILY;
    const begins = wallInstantOf(newYorkInstant(date, start));
    const from = wallAfter(begins, -EARLY_MS);
    const until = wallAfter(begins, minutes * MINUTE_MS);
    if (msBetween(from, at) >= 0 && msBetween(at, until) > 0) return { kind, from, until };
  }
  return null;
}

const FRIDAY = 5;
const SATURDAY = 6;
const DAILY = ['daily', 23 * 60 + 45, 60] as const;
const WEEKEND = ['weekend', 23 * 60, 240] as const;
const EARLY_MS = 5 * MINUTE_MS;
