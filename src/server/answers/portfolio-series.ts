import type { BenchmarkedSeries } from '#contract/strategies/series.ts';
import type { EquityRow } from '#records/deployments/deployment-views.ts';
import { fromMicro, parseMicro, subtract } from '#units/money.ts';
import { equitySeries } from './equity-series.ts';

/**
 * All deployments of a person together: each day the sum of those that had begun, carrying the last value over days
 * on which one has no mark. From its day on, and before its first mark, a deployment is the cash put into it. One without
 * a benchmark price counts there with its own equity.
 */
export function portfolioSeries(rows: readonly EquityRow[]): BenchmarkedSeries {
  const series = rows.map((row) => fromItsDay(row, equitySeries(row)));
  const labels = [...new Set(series.flatMap((one) => one.labels))].sort();
  const data = labels.map(() => 0);
  const benchmark = labels.map(() => 0);
  for (const one of series) {
    let at = -1;
    labels.forEach((label, i) => {
      if (one.labels[at + 1] === label) at++;
      if (at < 0) return;
      data[i]! += one.data[at]!;
      benchmark[i]! += one.benchmark[at] ?? one.data[at]!;
    });
  }
  return { labels, data: data.map(toMicroPlaces), benchmark: benchmark.map(toMicroPlaces) };
}

function fromItsDay(
  { deployed_at, investment_micro, added }: EquityRow,
  series: BenchmarkedSeries,
): BenchmarkedSeries {
  const day = deployed_at.toISOString().slice(0, 10);
  const [first] = series.labels;
  if (first === undefined || first <= day) return series;
  const investment = fromMicro(subtract(parseMicro(investment_micro), parseMicro(added)));
  return {
    labels: [day, ...series.labels],
    data: [investment, ...series.data],
    benchmark: [investment, ...series.benchmark],
  };
}

/** Sums of dollars back to six decimals: what they were before floating point. */
function toMicroPlaces(value: number): number {
  return Math.round(value * 1_000_000) / 1_000_000;
}
