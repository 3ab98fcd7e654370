import type { Line } from './plot.ts';

/** A series on other days: the newest value at or before each of them, null before the first. */
export function carryLine(
  days: readonly string[],
  series: { readonly labels: readonly string[]; readonly values: Line },
): Line {
  let next = 0;
  let last: number | null = null;
  return days.map((day) => {
    while (next < series.labels.length && series.labels[next]! <= day) {
      last = series.values[next] ?? last;
      next++;
    }
    return last;
  });
}
