// How alike two deployments are: how much of what they hold is the same, and how their days go together.
import type { HeldBy } from './exposure.ts';
import type { DailyValues } from './joint-drawdown.ts';

export type Likeness = {
  readonly first: string;
  readonly second: string;
  /** Percent of the smaller one's positions that the other holds too, on the same side. Null while one holds nothing. */
  readonly overlapPercent: number | null;
  /** Of daily returns, Pearson's; null with fewer than `DAYS_MIN` common days, or where one did not move. */
  readonly correlation: number | null;
  readonly days: number;
};

/** Below it a correlation says more about chance than about the strategies. */
export const DAYS_MIN = 20;

/** Each pair once. */
export function likenesses(
  all: readonly HeldBy[],
  values: ReadonlyMap<string, DailyValues>,
): readonly Likeness[] {
  return all.flatMap((first, i) =>
    all.slice(i + 1).map((second) => {
      const common = commonReturns(values.get(first.id), values.get(second.id));
      return {
        first: first.id,
        second: second.id,
        overlapPercent: overlap(first, second),
        correlation: common.length < DAYS_MIN ? null : correlation(common),
        days: common.length,
      };
    }),
  );
}

function overlap(first: HeldBy, second: HeldBy): number | null {
  const sizes = [first, second].map(({ positions }) =>
    positions.reduce((sum, { notional }) => sum + Math.abs(notional), 0),
  );
  const smaller = Math.min(...sizes);
  if (smaller === 0) return null;
  const others = new Map(second.positions.map(({ ticker, notional }) => [ticker, notional]));
  const same = first.positions.reduce((sum, { ticker, notional }) => {
    const other = others.get(ticker) ?? 0;
    return Math.sign(other) === Math.sign(notional)
      ? sum + Math.min(Math.abs(other), Math.abs(notional))
      : sum;
  }, 0);
  return (same * 100) / smaller;
}

type Pair = readonly [number, number];

function commonReturns(first: DailyValues | undefined, second: DailyValues | undefined): readonly Pair[] {
  if (first === undefined || second === undefined) return [];
  const others = new Map(second.map((day, i) => [day.date, i]));
  return first.flatMap(({ date }, i): Pair[] => {
    const j = others.get(date);
    if (i === 0 || j === undefined || j === 0) return [];
    // Over the same span only: one that has no value on a day has the return of two days on the next.
    if (first[i - 1]!.date !== second[j - 1]!.date) return [];
    return [[returnAt(first, i), returnAt(second, j)]];
  });
}

function returnAt(values: DailyValues, i: number): number {
  const before = values[i - 1]!.equity;
  return before > 0 ? (values[i]!.equity - values[i]!.flow) / before - 1 : 0;
}

function correlation(pairs: readonly Pair[]): number | null {
  const mean = (of: 0 | 1) => pairs.reduce((sum, pair) => sum + pair[of], 0) / pairs.length;
  const [left, right] = [mean(0), mean(1)];
  let both = 0;
  let leftOnly = 0;
  let rightOnly = 0;
  for (const [one, other] of pairs) {
    both += (one - left) * (other - right);
    leftOnly += (one - left) * (one - left);
    rightOnly += (other - right) * (other - right);
  }
  const scale = Math.sqrt(leftOnly * rightOnly);
  return scale === 0 ? null : Math.max(-1, Math.min(1, both / scale));
}
