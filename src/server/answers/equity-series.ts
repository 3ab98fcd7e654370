import type { BenchmarkedSeries } from '#contract/strategies/series.ts';
import type { EquityRow } from '#records/deployments/deployment-views.ts';
import { dayOfDate } from '#engine/market/trading-day.ts';
import { reinvested } from '#engine/market/total-return-closes.ts';
import type { IsoDate } from '#units/instant.ts';
import { fromMicro, type Micro, parseMicro, subtract } from '#units/money.ts';

type Point = {
  readonly date: string;
  readonly equity: Micro;
  /** Added less withdrawn since the start, by then. */
  readonly added: Micro;
  readonly benchmark: number | null;
  /** The day of the benchmark's price. */
  readonly pricedOn: string;
};

/**
 * One point a day, and the equity of now as the last. The benchmark starts where the equity starts and then earns what its
 * price and its dividends, reinvested, earned; what was added or withdrawn was so there too, on the same day.
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
  const worthOf = new Map<Point, number>();
  priced.forEach((point, i) => {
    const before = priced[i - 1];
    const grown =
      before === undefined ? fromMicro(point.equity) : worthOf.get(before)! * (worth[i]! / worth[i - 1]!);
    worthOf.set(point, grown + (before === undefined ? 0 : fromMicro(subtract(point.added, before.added))));
  });
  return {
    labels: points.map(({ date }) => date),
    data: points.map(({ equity }) => fromMicro(equity)),
    benchmark: points.map((point) => worthOf.get(point) ?? null),
  };
}

function pointsOf(row: EquityRow): readonly Point[] {
  const marks: Point[] = row.marks.map(({ date, equity, added, benchmark }) => ({
    date,
    equity: equity as Micro,
    added: added as Micro,
    benchmark,
    pricedOn: date,
  }));
  const last = marks.at(-1);
  const today = row.as_of.toISOString().slice(0, 10);
  const now: Point = {
    date: last && last.date > today ? last.date : today,
    equity: parseMicro(row.equity),
    added: parseMicro(row.added),
    benchmark: last?.benchmark ?? null,
    pricedOn: last?.date ?? today,
  };
  return [...marks.filter(({ date }) => date < now.date), now];
}
