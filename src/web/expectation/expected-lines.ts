// The expected range as lines of a chart: its rows are sessions, the chart has days.
import type { Deployment } from '#contract/deployments.ts';
import type { ExpectedRange } from '#contract/expected-range.ts';
import type { Expected } from '../kit/chart/part/lines.tsx';
import type { Line } from '../kit/chart/scale/plot.ts';

type Rows = ExpectedRange['rows'];
type Share = 'p5' | 'p25' | 'p50' | 'p75' | 'p95';
export type ExpectedDay = Readonly<Record<Share, number>>;

/** In the money of each day's base: the value at which the return since the start is zero. Undefined where no day is known. */
export function expectedLines(
  rows: Rows,
  labels: readonly string[],
  bases: readonly number[],
): Expected | undefined {
  const days = labels.map((label) => expectedOn(rows, label));
  if (days.every((day) => day === null)) return undefined;
  const line = (share: Share): Line => days.map((day, i) => day && day[share] * bases[i]!);
  return {
    name: 'Expected',
    outer: { low: line('p5'), high: line('p95') },
    inner: { low: line('p25'), high: line('p75') },
  };
}

/** The value of now at which the return is zero. */
export function baseOf({
  equity,
  return_percent: percent,
}: Pick<Deployment, 'equity' | 'return_percent'>): number {
  return equity / (1 + percent / 100);
}

/** That of each day: money that was added or withdrawn has moved it in proportion to the value of the day before. */
export function basesOf(
  { labels, data }: { readonly labels: readonly string[]; readonly data: readonly number[] },
  flows: Deployment['flows'],
  now: number,
): readonly number[] {
  const bases = labels.map(() => now);
  for (const { at, amount } of flows.toReversed()) {
    const found = labels.findIndex((label) => label.slice(0, 10) >= at.slice(0, 10));
    const day = found < 0 ? labels.length : found;
    const before = data[day - 1];
    if (before === undefined || before + amount <= 0) continue;
    for (let i = 0; i < day; i++) bases[i]! *= before / (before + amount);
  }
  return bases;
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
