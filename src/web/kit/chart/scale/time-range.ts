/** The ranges of charts of what is traded (specification section 9). */
export const TIME_RANGES = ['1D', '1W', '1M', '3M', '1Y', 'ALL'] as const;
export type TimeRange = (typeof TIME_RANGES)[number];

/** The ranges of a record of years. */
export const RECORD_RANGES = ['YTD', '1Y', '3Y', '5Y', 'ALL'] as const;
export type ChartRange = TimeRange | (typeof RECORD_RANGES)[number];

const DAY_MS = 86_400_000;
const DAYS: Readonly<Record<Exclude<ChartRange, 'ALL' | 'YTD'>, number>> = {
  '1D': 1,
  '1W': 7,
  '1M': 30,
  '3M': 91,
  '1Y': 365,
  '3Y': 1096,
  '5Y': 1826,
};

/**
 * The index of the first point inside a range that ends at the last label. The point before the range's
 * beginning is where its change is counted from, so it is inside; a range holds two points where there are two.
 */
export function rangeStart(labels: readonly string[], range: ChartRange): number {
  const last = labels.at(-1);
  if (range === 'ALL' || last === undefined) return 0;
  const inside = labels.findIndex((label) => Date.parse(label) > beginning(last, range));
  return Math.max(0, inside - 1);
}

/** Before it, in milliseconds, nothing is inside. */
function beginning(last: string, range: Exclude<ChartRange, 'ALL'>): number {
  return range === 'YTD'
    ? Date.UTC(Number(last.slice(0, 4)), 0) - 1
    : Date.parse(last) - DAYS[range] * DAY_MS;
}
