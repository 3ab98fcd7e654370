// How long a strategy has been watched since its version was committed, and whether that is long enough to be spoken
// of: fewer than a month of days says nothing, however good they were.
import { DAY_MS, type Instant, type IsoDate, instantOfDate } from '#units/instant.ts';

type OutOfSampleSpan = { readonly days: number; readonly months: number; readonly isEnough: boolean };

/** From the commit to the end of the last day that a result holds. */
export function outOfSampleSpan(committedAt: Instant, lastDate: IsoDate): OutOfSampleSpan {
  const days = Math.max(0, Math.floor((instantOfDate(lastDate) + DAY_MS - committedAt) / DAY_MS));
  return { days, months: Math.floor(days / DAYS_A_MONTH), isEnough: days >= DAYS_MIN };
}

const DAYS_MIN = 30;
/** A twelfth of a year. */
const DAYS_A_MONTH = 365.25 / 12;
