import type { FeeBill } from '#contract/fees.ts';
import { showDate } from '../kit/figure/show-figure.ts';

/** The days of a bill. The cut-off at midnight belongs to the next period; a closing bill ends with its deployment. */
export function showFeePeriod({
  period_start,
  period_end,
  is_closing,
}: Pick<FeeBill, 'period_start' | 'period_end' | 'is_closing'>): string {
  const end = is_closing ? period_end : new Date(Date.parse(period_end) - 1).toISOString();
  return `${showDate(period_start)} to ${showDate(end)}`;
}
