/** The ranges of every chart (specification section 9). */
export const TIME_RANGES = ['1D', '1W', '1M', '3M', '1Y', 'ALL'] as const;
export type TimeRange = (typeof TIME_RANGES)[number];

const DAY_MS = 86_400_000;
const DAYS: Readonly<Record<Exclude<TimeRange, 'ALL'>, number>> = {
  '1D': 1,
  '1W': 7,
  '1M': 30,
  '3M': 91,
  '1Y': 365,
};

/**
 * The index of the first point inside a range that ends at the last label. The point before the range's
 * beginning is where its change is counted from, so it is inside; a range holds two points where there are two.
 */
export function rangeStart(labels: readonly string[], range: TimeRange): number {
  const last = labels.at(-1);
  if (range === 'ALL' || last === undefined) return 0;
  const from = Date.parse(last) - DAYS[range] * DAY_MS;
  const inside = labels.findIndex((label) => Date.parse(label) > from);
  return Math.max(0, inside - 1);
}
