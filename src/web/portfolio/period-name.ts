import type { Statement } from '#contract/portfolio.ts';
import { addDays, type IsoDate } from '#units/instant.ts';
import { showDate } from '../kit/figure/show-figure.ts';

/** '14 May 2026', 'May 2026', 'Q2 2026', '2026'. */
export function periodName({ period, from }: Pick<Statement, 'period' | 'from'>): string {
  const year = from.slice(0, 4);
  switch (period) {
    case 'day':
      return showDate(from);
    case 'month':
      return new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
        Date.parse(from),
      );
    case 'quarter':
      return `Q${String(Math.ceil(Number(from.slice(5, 7)) / 3))} ${year}`;
    case 'year':
      return year;
  }
}

/** A day of the period before and of the one after; null where there is nothing to state. */
export function neighbours({ from, to, first_day, last_day }: Statement): {
  readonly before: string | null;
  readonly after: string | null;
} {
  return {
    before: from > first_day ? addDays(from as IsoDate, -1) : null,
    after: to < last_day ? addDays(to as IsoDate, 1) : null,
  };
}

/** What it states: a period that has not ended goes as far as there is a value. Undefined for one day, which its name says. */
export function coveredDays({ from, to, last_day: last }: Statement): string | undefined {
  if (from === to) return undefined;
  return last < to
    ? `${showDate(from)} to ${showDate(last)}, so far`
    : `${showDate(from)} to ${showDate(to)}`;
}
