// The brokerage's planned interruptions, by its own clock: 23:45 to 00:45 in New York from Sunday to Thursday, and
// Friday 23:00 to Saturday 03:00. Trading sessions end with each.
import { newYorkInstant, weekday } from '#engine/market/calendar-new-york-time.ts';
import { addDays, type Instant, MINUTE_MS, utcDate } from '#units/instant.ts';

export function isResetAt(at: Instant): boolean {
  return [addDays(utcDate(at), -2), addDays(utcDate(at), -1), utcDate(at)].some((evening) => {
    const { start, minutes } = EVENINGS[weekday(evening)] ?? NONE;
    const from = newYorkInstant(evening, start);
    return minutes > 0 && from <= at && at < from + minutes * MINUTE_MS;
  });
}

const NONE = { start: 0, minutes: 0 };
const WEEKNIGHT = { start: 23 * 60 + 45, minutes: 60 };
const FRIDAY_RESET = { start: 23 * 60, minutes: 240 };

/** From Sunday to Saturday. */
const EVENINGS = [WEEKNIGHT, WEEKNIGHT, WEEKNIGHT, WEEKNIGHT, WEEKNIGHT, FRIDAY_RESET, NONE];
