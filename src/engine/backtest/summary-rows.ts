// The rows that a result is measured at: their dates, and the worth of its benchmark. Results over the same rows share
// them.
import { type Instant, type IsoDate, utcDate } from '#units/instant.ts';
import type { BarSeries } from '../market/bar-series.ts';
import { totalReturnCloses } from '../market/total-return-closes.ts';
import { lastClosedIndex, sameInstants } from '../strategy/align.ts';

export type SummaryRows = {
  readonly dates: readonly IsoDate[];
  /** What a share of the benchmark is worth at each row, dividends reinvested; NaN before its first close, null without one. */
  readonly benchmark: Float64Array | null;
};

export function summaryRows(timeline: Float64Array, benchmark: BarSeries | null): SummaryRows {
  return {
    dates: Array.from(timeline, (at) => utcDate((at - 1) as Instant)),
    benchmark: benchmark === null ? null : worthAt(timeline, benchmark),
  };
}

/** Caches the rows of the last request. */
export function keptSummaryRows(): typeof summaryRows {
  let known: {
    readonly timeline: Float64Array;
    readonly benchmark: BarSeries | null;
    readonly rows: SummaryRows;
  } | null = null;
  return (timeline, benchmark) => {
    if (known === null || known.benchmark !== benchmark || !sameInstants(known.timeline, timeline))
      known = { timeline, benchmark, rows: summaryRows(timeline, benchmark) };
    return known.rows;
  };
}

function worthAt(timeline: Float64Array, benchmark: BarSeries): Float64Array {
  const index = lastClosedIndex(timeline, benchmark.closedAt);
  const known = totalReturnCloses(benchmark);
  const worth = new Float64Array(index.length);
  for (let i = 0; i < worth.length; i++) worth[i] = index[i]! < 0 ? Number.NaN : known[index[i]!]!;
  return worth;
}
