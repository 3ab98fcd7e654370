import type { BenchmarkedSeries } from '#contract/strategies/series.ts';
import type { EquityRow } from '#records/deployments/deployment-views.ts';
import { dayOfDate } from '#engine/market/trading-day.ts';
import { reinvested } from '#engine/market/total-return-closes.ts';
import type { IsoDate } from '#units/instant.ts';
import { fromMicro, type Micro, parseMicro } from '#units/money.ts';

type Point = {
  readonly date: string;
  readonly equity: Micro;
  readonly benchmark: number | null;
  /** The day of the benchmark's price. */
  readonly pricedOn: string;
};

/**
 * One point a day, and the equity of now as the last. The benchmark starts where the equity starts and then earns what its
 * price and its dividends, reinvested, earned.
 */
export function equitySeries(row: EquityRow): BenchmarkedSeries {
  const points = pointsOf(row);
  const priced = points.filter(({ benchmark }) => benchmark !== null);
  const worth = reinvested(
    {
      length: priced.length,
      dayOf: (i) => dayOfDate(priced[i]!.pricedOn as IsoDate),
      closeOf: (i) => priced[i]!.benchmark!,
    },
    row.benchmark_actions,
  );
  const worthOf = new Map(priced.map((point, i) => [point, worth[i]!]));
  return {
    labels: points.map(({ date }) => date),
    data: points.map(({ equity }) => fromMicro(equity)),
    benchmark: points.map((point) => {
      const value = worthOf.get(point);
      return value === undefined ? null : fromMicro(priced[0]!.equity) * (value / worth[0]!);
    }),
  };
}

function pointsOf(row: EquityRow): readonly Point[] {
  const marks: Point[] = row.marks.map(({ date, equity, benchmark }) => ({
    date,
    equity: equity as Micro,
    benchmark,
    pricedOn: date,
  }));
  const last = marks.at(-1);
  const today = row.as_of.toISOString().slice(0, 10);
  const now: Point = {
    date: last && last.date > today ? last.date : today,
    equity: parseMicro(row.equity),
    benchmark: last?.benchmark ?? null,
    pricedOn: last?.date ?? today,
  };
  return [...marks.filter(({ date }) => date < now.date), now];
}
