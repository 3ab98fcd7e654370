import type { FeeBill } from '#contract/fees.ts';
import { csvLine } from '../answers/csv-line.ts';

/** Everything that a bill is made of, so that a spreadsheet computes the same fee. */
const COLUMNS = [
  'id',
  'deployment',
  'strategy_name',
  'number',
  'is_closing',
  'period_start',
  'period_end',
  'opening_high_water_mark',
  'capital',
  'net_flow',
  'settled_result',
  'worth',
  'adjusted_high_water_mark',
  'closing_value',
  'profit',
  'fee_percent',
  'fee',
  'has_estimates',
  'credited',
  'next_high_water_mark',
  'state',
  'due_at',
  'unpaid_stage',
  'owed',
  'paid',
  'paid_at',
  'charged_back',
  'charged_back_at',
  'refunded',
  'refund_reason',
  'billed_at',
] as const satisfies readonly (keyof FeeBill)[];

/** A line of names, then one for each bill. A figure that a bill does not have is empty. */
export function feeBillsCsv(bills: readonly FeeBill[]): Uint8Array {
  const lines = bills.map((bill) => csvLine(COLUMNS.map((column) => cellOf(bill[column]))));
  return new TextEncoder().encode([csvLine(COLUMNS), ...lines].join(''));
}

function cellOf(value: string | number | boolean | null): string | number {
  if (value === null) return '';
  return typeof value === 'boolean' ? String(value) : value;
}
