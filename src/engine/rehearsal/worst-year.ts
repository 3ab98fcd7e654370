import type { IsoDate } from '#units/instant.ts';
import { yearsBefore } from '../performance/period-returns.ts';

export type WorstYear = {
  readonly from: IsoDate;
  readonly to: IsoDate;
  /** A fraction of the value at `from`. */
  readonly change: number;
  /** Dollars. */
  readonly dollars: number;
};

/**
 * The twelve months with the lowest return: from the last date that is a year or more before each one. Null for less
 * than a year. `dates` rise, one for each value.
 */
export function worstYear(dates: readonly IsoDate[], values: Float64Array): WorstYear | null {
  let worst: WorstYear | null = null;
  let from = -1;
  dates.forEach((to, t) => {
    const start = yearsBefore(to, 1);
    while (dates[from + 1]! <= start) from++;
    if (from < 0) return;
    const change = values[t]! / values[from]! - 1;
    if (worst !== null && change >= worst.change) return;
    worst = { from: dates[from]!, to, change, dollars: values[t]! - values[from]! };
  });
  return worst;
}
