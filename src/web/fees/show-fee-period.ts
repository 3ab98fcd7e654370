import type { FeeBill } from '#contract/fees.ts';
import { showDate } from '../kit/figure/show-figure.ts';

type Period = Pick<FeeBill, 'period_start' | 'period_end' | 'is_closing'>;

/** The days of a bill. */
export function showFeePeriod(bill: Period): string {
  return `${showDate(bill.period_start)} to ${showLastDay(bill)}`;
}

/** The cut-off at midnight belongs to the next period; a closing bill ends with its deployment. */
export function showLastDay({ period_end, is_closing }: Period): string {
  return showDate(is_closing ? period_end : new Date(Date.parse(period_end) - 1).toISOString());
}
