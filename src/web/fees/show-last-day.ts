import type { FeeBill } from '#contract/fees.ts';
import { showDate } from '../kit/figure/show-figure.ts';

/** The cut-off at midnight belongs to the next period; a closing bill ends with its deployment. */
export function showLastDay({ period_end, is_closing }: Pick<FeeBill, 'period_end' | 'is_closing'>): string {
  return showDate(is_closing ? period_end : new Date(Date.parse(period_end) - 1).toISOString());
}
