// What a claimed record says it earned. Promises the arithmetic alone: no figure is checked against anything.
import { power } from '../../math/power.ts';
import type { GrowthLine } from './claim-agreement.ts';

/** Fractions. */
export type ClaimFigures = {
  readonly totalReturn: number;
  /** Geometric, by the calendar; null for less than a year. */
  readonly annualReturn: number | null;
  /** At or below zero. */
  readonly maxDrawdown: number;
};

const YEAR_MS = 365.25 * 86_400_000;

export function claimFigures({ labels, data }: GrowthLine): ClaimFigures {
  const last = data.at(-1) ?? 1;
  const years = (Date.parse(labels.at(-1) ?? '') - Date.parse(labels[0] ?? '')) / YEAR_MS;
  let peak = 1;
  let maxDrawdown = 0;
  for (const worth of data) {
    peak = Math.max(peak, worth);
    maxDrawdown = Math.min(maxDrawdown, worth / peak - 1);
  }
  const annualReturn = years < 1 ? null : last <= 0 ? -1 : power(last, 1 / years) - 1;
  return { totalReturn: last - 1, annualReturn, maxDrawdown };
}
