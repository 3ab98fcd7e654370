// The rows that a result is measured at: their dates, and the closes of its benchmark. Results over the same rows share
// them.
import { type Instant, type IsoDate, utcDate } from '#units/instant.ts';
import type { BarSeries } from '../market/bar-series.ts';
import { lastClosedIndex, sameInstants } from '../strategy/align.ts';

export type SummaryRows = {
  readonly dates: readonly IsoDate[];
  /** The benchmark's newest close at each row, NaN before its first; null without a benchmark. */
  readonly closes: Float64Array | null;
};

export function summaryRows(timeline: Float64Array, benchmark: BarSeries | null): SummaryRows {
  return {
    dates: Array.from(timeline, (at) => utcDate((at - 1) as Instant)),
    closes: benchmark === null ? null : closesAt(timeline, benchmark),
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

function closesAt(timeline: Float64Array, { close, closedAt }: BarSeries): Float64Array {
  const index = lastClosedIndex(timeline, closedAt);
  const closes = new Float64Array(index.length);
  for (let i = 0; i < closes.length; i++) closes[i] = index[i]! < 0 ? Number.NaN : close[index[i]!]!;
  return closes;
}
