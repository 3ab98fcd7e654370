// The lines of a chart in a person's dollars: their rehearsal once there is one, before it the published record.
import type { StrategyPerformance } from '#contract/strategies/strategies.ts';
import { netOfFee } from '#engine/performance/net-of-fee.ts';
import type { Rehearsal } from '#engine/rehearsal/rehearsal.ts';
import type { IsoDate } from '#units/instant.ts';
import type { Expected } from '../kit/chart/part/lines.tsx';
import { carryLine } from '../kit/chart/scale/carry-line.ts';
import type { Line } from '../kit/chart/scale/plot.ts';

export type MoneyLines = {
  readonly labels: readonly string[];
  readonly name: string;
  readonly data: readonly number[];
  readonly benchmark: Line;
  readonly reference: { readonly name: string; readonly values: Line } | undefined;
  readonly expected: Expected | undefined;
};

/** My dollars against the published path and the benchmark, in the range of the other orders of the same months. */
export function rehearsedLines({ dates, value, published, benchmark, alternatives }: Rehearsal): MoneyLines {
  return {
    labels: dates,
    name: 'Yours',
    data: Array.from(value),
    benchmark,
    reference: { name: 'As published', values: Array.from(published) },
    expected: alternatives === null ? undefined : { outer: bandOf(alternatives, dates.length) },
  };
}

/** The published record begun with the amount, after the fee, without any limits. */
export function publishedLines(
  { labels, data, benchmark }: Pick<StrategyPerformance, 'labels' | 'data' | 'benchmark'>,
  { amount, feePercent }: { readonly amount: number; readonly feePercent: number },
): MoneyLines {
  const first = data[0] ?? 1;
  const days = labels as readonly unknown[] as readonly IsoDate[];
  const net = netOfFee(days, Float64Array.from(data), feePercent);
  return {
    labels,
    name: 'As published',
    data: Array.from(net, (value) => (value * amount) / first),
    benchmark: benchmark.map((value) => (value === null ? null : (value * amount) / first)),
    reference: undefined,
    expected: undefined,
  };
}

/** Fractions below the last peak. */
export function fallsOf(values: readonly number[]): readonly number[] {
  let peak = Number.NEGATIVE_INFINITY;
  return values.map((value) => {
    peak = Math.max(peak, value);
    return peak > 0 ? value / peak - 1 : 0;
  });
}

/** Another series on these days, begun where `start` stood on its first common day; null before it. */
export function alignedTo(
  labels: readonly string[],
  other: { readonly labels: readonly string[]; readonly values: Line },
  start: readonly number[],
): Line {
  const carried = carryLine(labels, other);
  const first = carried.findIndex((value) => value !== null);
  if (first < 0) return carried;
  const factor = start[first]! / carried[first]!;
  return carried.map((value) => (value === null ? null : value * factor));
}

function bandOf({ rows, low, high }: NonNullable<Rehearsal['alternatives']>, length: number) {
  const spread = (values: Float64Array): Line => {
    const line = Array.from({ length }, (): number | null => null);
    rows.forEach((row, i) => (line[row] = values[i]!));
    return line;
  };
  return { low: spread(low), high: spread(high) };
}
