// The figures of a record, in somebody's dollars, that the case for and against it is made of.
import { worstYear } from '#engine/rehearsal/worst-year.ts';
import type { IsoDate } from '#units/instant.ts';
import type { CaseFigures } from './for-and-against.ts';

export type MoneyRecord = {
  readonly labels: readonly string[];
  readonly data: readonly number[];
  readonly benchmark: readonly (number | null)[];
};

export function caseOf({ labels, data, benchmark }: MoneyRecord, benchmarkName: string | null): CaseFigures {
  const known = benchmark.filter((value) => value !== null);
  const [first, last] = [known[0], known.at(-1)];
  return {
    total: data.at(-1)! / data[0]! - 1,
    benchmarkTotal: first === undefined ? null : last! / first - 1,
    fall: deepestOf(data),
    benchmarkFall: first === undefined ? null : deepestOf(known),
    benchmarkName: benchmarkName ?? 'the benchmark',
    worstYear: worstYear(labels as readonly IsoDate[], Float64Array.from(data)),
    years: (Date.parse(labels.at(-1)!) - Date.parse(labels[0]!)) / YEAR_MS,
  };
}

/** At or below zero, as a fraction of the peak before. */
function deepestOf(values: readonly number[]): number {
  let peak = Number.NEGATIVE_INFINITY;
  let deepest = 0;
  for (const value of values) {
    peak = Math.max(peak, value);
    if (peak > 0) deepest = Math.min(deepest, value / peak - 1);
  }
  return deepest;
}

const YEAR_MS = 365.25 * 86_400_000;
