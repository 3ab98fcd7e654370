// How far all deployments together are below their highest point, and how far they ever were: against what the client said
// is the most they can bear. Money that came or went is no gain and no loss.
import { drawdownSeries } from '#engine/performance/risk/drawdown.ts';
import type { IsoDate } from '#units/instant.ts';
import type { Micro } from '#units/money.ts';

/** Values at the end of days, oldest first; `flow` came in (or went out) since the value before. */
export type DailyValues = readonly { readonly date: IsoDate; readonly equity: Micro; readonly flow: Micro }[];

export type JointDrawdown = {
  /** At or below zero, in percent. */
  readonly nowPercent: number;
  readonly deepestPercent: number;
  /** Of the deepest one; null when the value never fell. */
  readonly peak: IsoDate | null;
  readonly trough: IsoDate | null;
};

/** Null before the first day with a value before it. */
export function jointDrawdown(all: readonly DailyValues[]): JointDrawdown | null {
  const { dates, returns } = jointReturns(all);
  if (returns.length === 0) return null;
  const series = drawdownSeries(Float64Array.from(returns));
  let trough = 0;
  series.forEach((depth, i) => {
    if (depth < series[trough]!) trough = i;
  });
  const deepest = series[trough]!;
  const peak = series.subarray(0, trough).lastIndexOf(0);
  return {
    nowPercent: series.at(-1)! * 100,
    deepestPercent: deepest * 100,
    // The value before the first return is a peak too.
    peak: deepest < 0 ? dates[peak + 1]! : null,
    trough: deepest < 0 ? dates[trough + 1]! : null,
  };
}

/** Each day's result of all of them over their value before it. One without a value that day keeps its last one. */
function jointReturns(all: readonly DailyValues[]): {
  readonly dates: readonly IsoDate[];
  readonly returns: readonly number[];
} {
  const dates = [...new Set(all.flatMap((days) => days.map(({ date }) => date)))].toSorted();
  const byDate = all.map((days) => new Map(days.map((day) => [day.date, day])));
  const last: (number | null)[] = all.map(() => null);
  const counted: IsoDate[] = [];
  const returns: number[] = [];
  for (const date of dates) {
    let before = 0;
    let gained = 0;
    byDate.forEach((days, i) => {
      const day = days.get(date);
      const previous = last[i]!;
      if (previous !== null) before += previous;
      if (day === undefined) return;
      if (previous !== null) gained += day.equity - day.flow - previous;
      last[i] = day.equity;
    });
    counted.push(date);
    if (counted.length > 1) returns.push(before > 0 ? gained / before : 0);
  }
  return { dates: counted, returns };
}
