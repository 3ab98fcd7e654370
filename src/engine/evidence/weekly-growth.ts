// A record as the trial ledger keeps it, to be compared with others: growth by week. Weeks end on Sundays at midnight UTC,
// so records of any markets and bars have the same ones.
import { DAY_MS, type Instant } from '#units/instant.ts';

export type WeeklyGrowth = {
  /** Weeks since the Monday before 1970. */
  readonly firstWeek: number;
  /** End of the week / end of the week before - 1; 0 for a week without bars. */
  readonly growth: Float32Array;
};

/** Null with less than two weeks up to `until`. `equity` of the moments of `timeline`, oldest first. */
export function weeklyGrowth(
  { timeline, equity }: { readonly timeline: Float64Array; readonly equity: Float64Array },
  until: Instant,
): WeeklyGrowth | null {
  const growth: number[] = [];
  let first = Number.NaN;
  let week = Number.NaN;
  let before = Number.NaN;
  let last = Number.NaN;
  for (let row = 0; row < timeline.length && timeline[row]! <= until; row++) {
    const at = weekOf(timeline[row]!);
    if (Number.isNaN(first)) first = week = at;
    if (at > week) {
      growth.push(Number.isNaN(before) ? 0 : last / before - 1);
      for (let empty = week + 1; empty < at; empty++) growth.push(0);
      [before, week] = [last, at];
    }
    last = equity[row]!;
  }
  if (Number.isNaN(first) || growth.length === 0) return null;
  growth.push(last / before - 1);
  return { firstWeek: first, growth: Float32Array.from(growth) };
}

/** Correlation (Pearson) of the weeks that both have; null with fewer than `LEAST_WEEKS`, or where one never moved. */
export function weeklyCorrelation(one: WeeklyGrowth, other: WeeklyGrowth): number | null {
  const from = Math.max(one.firstWeek, other.firstWeek);
  const to = Math.min(one.firstWeek + one.growth.length, other.firstWeek + other.growth.length);
  const weeks = to - from;
  if (weeks < LEAST_WEEKS) return null;
  const left = one.growth.subarray(from - one.firstWeek, to - one.firstWeek);
  const right = other.growth.subarray(from - other.firstWeek, to - other.firstWeek);
  const [leftMean, rightMean] = [meanOf(left), meanOf(right)];
  let [products, leftSquares, rightSquares] = [0, 0, 0];
  for (let i = 0; i < weeks; i++) {
    const [x, y] = [left[i]! - leftMean, right[i]! - rightMean];
    products += x * y;
    leftSquares += x * x;
    rightSquares += y * y;
  }
  const scale = Math.sqrt(leftSquares * rightSquares);
  return scale > 0 ? products / scale : null;
}

/** A year: fewer weeks are alike by accident. */
const LEAST_WEEKS = 52;

function weekOf(at: number): number {
  // 1970 began on a Thursday, and a bar that closes at midnight is of the week before.
  return Math.floor(((at - 1) / DAY_MS + 3) / 7);
}

function meanOf(values: Float32Array): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum / values.length;
}
