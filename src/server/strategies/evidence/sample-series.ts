import { addDays, type IsoDate, instantOfDate } from '#units/instant.ts';

type Timeframe = 'day' | 'week' | 'month' | '1D' | '1W' | '1M' | '3M' | '1Y' | 'ALL';

const RANGE_DAYS = { '1D': 1, '1W': 7, '1M': 30, '3M': 91, '1Y': 365 } as const;

/** Which points of daily labels to show, oldest first; the last is always among them. */
export function sampledPoints(labels: readonly string[], timeframe: Timeframe): readonly number[] {
  const last = labels.length - 1;
  if (last < 0) return [];
  if (timeframe === 'week') return lastOfEach(labels, weekOf);
  if (timeframe === 'month') return lastOfEach(labels, (label) => label.slice(0, 7));
  const from = firstPoint(labels, timeframe);
  return Array.from({ length: last - from + 1 }, (_, i) => from + i);
}

/** Where a range begins: at the last point that is at least the range old, so that it spans the whole of it. */
export function firstPoint(labels: readonly string[], timeframe: Timeframe): number {
  if (!(timeframe in RANGE_DAYS)) return 0;
  const days = RANGE_DAYS[timeframe as keyof typeof RANGE_DAYS];
  const start = addDays(labels.at(-1)!.slice(0, 10) as IsoDate, -days);
  const after = labels.findIndex((label) => label.slice(0, 10) > start);
  return Math.max(0, after - 1);
}

/** The ISO week by the number of its Thursday: 1970-01-01 was one. */
function weekOf(label: string): string {
  return String(Math.floor((instantOfDate(label.slice(0, 10)) / 86_400_000 + 3) / 7));
}

function lastOfEach(labels: readonly string[], periodOf: (label: string) => string): readonly number[] {
  const points: number[] = [];
  for (let i = 0; i < labels.length; i++) {
    const isLast = i === labels.length - 1 || periodOf(labels[i]!) !== periodOf(labels[i + 1]!);
    if (isLast) points.push(i);
  }
  return points;
}

/** At most `count` points spread evenly, first and last among them. */
export function spreadPoints(length: number, count: number): readonly number[] {
  if (length <= count) return Array.from({ length }, (_, i) => i);
  return Array.from({ length: count }, (_, i) => Math.round((i * (length - 1)) / (count - 1)));
}
