// Returns compounded over the weeks, months, quarters and years of the calendar; the month table of the strategy
// page (specification, section 3) and the best and worst month come from here.
import { addDays, type IsoDate, instantOfDate } from '#units/instant.ts';

export type CalendarSpan = 'week' | 'month' | 'quarter' | 'year';

export type SpanReturn = {
  /** '2024-05-06' (the week's Monday), '2024-05', '2024-Q2' or '2024'. */
  readonly span: string;
  readonly return: number;
};

/** One return for each period that has a day, oldest first. `dates` are ascending, one per return. */
export function calendarReturns(
  dates: readonly IsoDate[],
  returns: Float64Array,
  span: CalendarSpan,
): readonly SpanReturn[] {
  if (dates.length !== returns.length) throw new RangeError('dates and returns differ in length');
  // The name of a month or a year is how its dates begin.
  const isPrefix = span === 'month' || span === 'year';
  const result: { readonly span: string; return: number }[] = [];
  let last = '';
  let wealth = 1;
  for (let i = 0; i < returns.length; i++) {
    const date = dates[i]!;
    const name = isPrefix && last !== '' && date.startsWith(last) ? last : spanOf(date, span);
    if (name !== last) {
      result.push({ span: name, return: 0 });
      last = name;
      wealth = 1;
    }
    const value = returns[i]!;
    wealth *= Number.isNaN(value) ? 1 : 1 + value;
    result[result.length - 1]!.return = wealth - 1;
  }
  return result;
}

export type YearOfMonths = {
  readonly year: number;
  readonly months: readonly { readonly month: number; readonly return: number }[];
};

/** The month table: fractions, months 1 to 12, only those that have a day. */
export function monthTable(all: readonly SpanReturn[]): readonly YearOfMonths[] {
  const years = new Map<number, { month: number; return: number }[]>();
  for (const { span, return: value } of all) {
    const year = Number(span.slice(0, 4));
    const months = years.get(year) ?? [];
    months.push({ month: Number(span.slice(5)), return: value });
    years.set(year, months);
  }
  return Array.from(years, ([year, months]) => ({ year, months }));
}

export type BestAndWorst = { readonly best: SpanReturn; readonly worst: SpanReturn };

/** The best and the worst span, the earlier one of equals; null when there is none. */
export function bestAndWorst(spans: readonly SpanReturn[]): BestAndWorst | null {
  const [first] = spans;
  if (first === undefined) return null;
  let best = first;
  let worst = first;
  for (const one of spans) {
    if (one.return > best.return) best = one;
    if (one.return < worst.return) worst = one;
  }
  return { best, worst };
}

function spanOf(date: IsoDate, span: CalendarSpan): string {
  switch (span) {
    case 'week':
      return mondayOf(date);
    case 'month':
      return date.slice(0, 7);
    case 'quarter':
      return `${date.slice(0, 4)}-Q${Math.ceil(Number(date.slice(5, 7)) / 3)}`;
    case 'year':
      return date.slice(0, 4);
    default:
      return span satisfies never;
  }
}

function mondayOf(date: IsoDate): IsoDate {
  const sinceMonday = (new Date(instantOfDate(date)).getUTCDay() + 6) % 7;
  return addDays(date, -sinceMonday);
}
