// A series is read periodically, the current figure is streamed. The chart ends at the figure shown next to it.
import type { BenchmarkedSeries } from '#contract/strategies/series.ts';

/** The series with `value` as its point of now: the last day's own, or one more when a day has begun since. */
export function endNow<Series extends BenchmarkedSeries>(
  series: Series,
  { value, asOf }: { readonly value: number; readonly asOf: string },
): Series {
  const { labels, data, benchmark } = series;
  const last = labels.at(-1);
  if (last === undefined) return series;
  const today = asOf.slice(0, last.length);
  const until = today > last ? labels.length : labels.length - 1;
  return {
    ...series,
    labels: [...labels.slice(0, until), today > last ? today : last],
    data: [...data.slice(0, until), value],
    benchmark: [...benchmark.slice(0, until), benchmark.at(-1) ?? null],
  };
}
