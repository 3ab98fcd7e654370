import { DAY_MS } from '#units/instant.ts';
import { msBetween, type WallInstant } from '#units/wall-instant.ts';

/** Why an acknowledgement may not last until then; null when it may. A position is never without its stop for good. */
export function untilRefusal(until: WallInstant, now: WallInstant): 'date_past' | 'date_far' | null {
  const left = msBetween(now, until);
  if (left <= 0) return 'date_past';
  return left > LONGEST_MS ? 'date_far' : null;
}

const LONGEST_MS = 31 * DAY_MS;
