import type { BenchmarkedSeries } from '#contract/strategies/series.ts';
import type { EquityRow } from '#records/deployments/deployment-views.ts';
import { fromMicro, type Micro, parseMicro } from '#units/money.ts';

type Point = { readonly date: string; readonly equity: Micro; readonly benchmark: number | null };

/**
 * One point a day, and the equity of now as the last. The benchmark starts where the equity starts and then moves as
 * the benchmark's price moved.
 */
export function equitySeries(row: EquityRow): BenchmarkedSeries {
  const points = pointsOf(row);
  const firstPriced = points.find(({ benchmark }) => benchmark !== null);
  return {
    labels: points.map(({ date }) => date),
    data: points.map(({ equity }) => fromMicro(equity)),
    benchmark: points.map(({ benchmark }) =>
      benchmark === null || !firstPriced?.benchmark
        ? null
        : fromMicro(firstPriced.equity) * (benchmark / firstPriced.benchmark),
    ),
  };
}

function pointsOf(row: EquityRow): readonly Point[] {
  const marks: Point[] = row.marks.map(({ date, equity, benchmark }) => ({
    date,
    equity: equity as Micro,
    benchmark,
  }));
  const last = marks.at(-1);
  const today = row.as_of.toISOString().slice(0, 10);
  const now: Point = {
    date: last && last.date > today ? last.date : today,
    equity: parseMicro(row.equity),
    benchmark: last?.benchmark ?? null,
  };
  return [...marks.filter(({ date }) => date < now.date), now];
}
