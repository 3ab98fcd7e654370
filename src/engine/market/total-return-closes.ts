// What one share held from the first of some closes is worth at each of them, every dividend reinvested at the close of its
// ex-date, splits taken out: the value of a benchmark. Built forwards, so that a later event never restates earlier values.
import { type ActionColumns, actionColumns } from './action-columns.ts';
import type { BarSeries } from './bar-series.ts';
import type { CorporateAction } from './corporate-action.ts';
import { tradingDay } from './trading-day.ts';

type Closes = {
  readonly length: number;
  /** Ascending; days since 1970-01-01. */
  readonly dayOf: (index: number) => number;
  readonly closeOf: (index: number) => number;
};

/** The same column where nothing happened. */
export function totalReturnCloses({ close, closedAt, length, actions }: BarSeries): Float64Array {
  if (actions === undefined || actions.length === 0) return close;
  const closes = {
    length,
    dayOf: (i: number) => tradingDay(closedAt[i]!),
    closeOf: (i: number) => close[i]!,
  };
  return reinvested(closes, actions);
}

/** An event of a day without a close counts at the next one. */
export function reinvested(closes: Closes, actions: readonly CorporateAction[]): Float64Array {
  const worth = new Float64Array(closes.length);
  const columns = actionColumns(actions);
  let next = closes.length === 0 ? 0 : firstAfter(closes.dayOf(0), columns);
  let shares = 1;
  for (let i = 0; i < closes.length; i++) {
    const [day, close] = [closes.dayOf(i), closes.closeOf(i)];
    // Of one moment: a dividend is paid on the shares of before it, reinvested at the close.
    let cash = 0;
    for (; next < columns.days.length && columns.days[next]! <= day; next++) {
      const amount = columns.amounts[next]!;
      if (columns.splits[next] === 1) shares *= amount;
      else cash += shares * amount;
    }
    shares += cash / close;
    worth[i] = shares * close;
  }
  return worth;
}

/** What took effect by the first close is in it already. */
function firstAfter(day: number, { days }: ActionColumns): number {
  let next = 0;
  while (next < days.length && days[next]! <= day) next++;
  return next;
}
