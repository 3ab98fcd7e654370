// Plain statistics for judging the simulated market; used by tests only.
import type { Bar } from '#engine/market/instrument.ts';

export function logReturns(bars: readonly Bar[]): number[] {
  return bars.slice(1).map((bar, i) => Math.log(bar.close / bars[i]!.close));
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

export function deviation(values: readonly number[]): number {
  return Math.sqrt(moment(values, 2));
}

export function excessKurtosis(values: readonly number[]): number {
  return moment(values, 4) / moment(values, 2) ** 2 - 3;
}

export function correlation(left: readonly number[], right: readonly number[]): number {
  const leftMean = mean(left);
  const rightMean = mean(right);
  const together = mean(left.map((value, i) => (value - leftMean) * (right[i]! - rightMean)));
  return together / (deviation(left) * deviation(right));
}

export function worstDrawdown(bars: readonly Bar[]): number {
  let peak = 0;
  let worst = 0;
  for (const bar of bars) {
    peak = Math.max(peak, bar.close);
    worst = Math.min(worst, bar.close / peak - 1);
  }
  return worst;
}

function moment(values: readonly number[], power: number): number {
  const centre = mean(values);
  return mean(values.map((value) => (value - centre) ** power));
}
