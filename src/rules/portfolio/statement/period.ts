// The periods of a statement, by trading day: the last day belongs to the period.
import { addDays, type IsoDate, isoDate } from '#units/instant.ts';

export const STATEMENT_PERIODS = ['day', 'month', 'quarter', 'year'] as const;
export type StatementPeriod = (typeof STATEMENT_PERIODS)[number];

export type Days = {
  readonly from: IsoDate;
  /** The last day. */
  readonly to: IsoDate;
};

/** The period of that length that a day belongs to. */
export function periodOf(length: StatementPeriod, day: IsoDate): Days {
  if (length === 'day') return { from: day, to: day };
  const year = Number(day.slice(0, 4));
  const month = Number(day.slice(5, 7));
  const months = MONTHS[length];
  const first = month - ((month - 1) % months);
  const next = first + months;
  const after = next > 12 ? isoDate(year + 1, next - 12, 1) : isoDate(year, next, 1);
  return { from: isoDate(year, first, 1), to: addDays(after, -1) };
}

const MONTHS = { month: 1, quarter: 3, year: 12 } as const;
