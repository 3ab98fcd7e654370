// The expected range as lines of a chart: its rows are sessions, the chart has days.
import type { ExpectedRange } from '#contract/expected-range.ts';
import type { Expected } from '../kit/chart/part/lines.tsx';
import type { Line } from '../kit/chart/scale/plot.ts';

type Rows = ExpectedRange['rows'];
type Share = 'p5' | 'p25' | 'p50' | 'p75' | 'p95';
export type ExpectedDay = Readonly<Record<Share, number>>;

/** In the money that an investment of `invested` at the start would have come to. Undefined where no day is known. */
export function expectedLines(rows: Rows, labels: readonly string[], invested: number): Expected | undefined {
  const days = labels.map((label) => expectedOn(rows, label));
  if (days.every((day) => day === null)) return undefined;
  const line = (share: Share): Line => days.map((day) => day && day[share] * invested);
  return {
    name: 'Expected',
    outer: { low: line('p5'), high: line('p95') },
    inner: { low: line('p25'), high: line('p75') },
  };
}

/** Between two rows in proportion to the days; null before the first and after the last. */
export function expectedOn(rows: Rows, label: string): ExpectedDay | null {
  const day = label.slice(0, 10);
  const next = rows.findIndex(({ date }) => date >= day);
  if (next < 0) return null;
  const after = rows[next]!;
  if (after.date === day) return after;
  const before = rows[next - 1];
  if (before === undefined) return null;
  const [from, to] = [Date.parse(before.date), Date.parse(after.date)];
  const part = (Date.parse(day) - from) / (to - from);
  const at = (share: Share) => before[share] + (after[share] - before[share]) * part;
  return { p5: at('p5'), p25: at('p25'), p50: at('p50'), p75: at('p75'), p95: at('p95') };
}
