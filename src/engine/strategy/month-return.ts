// Return over calendar months, the newest ones skipped: the usual 12-1 momentum is months 11, skip 1 (Jegadeesh and
// Titman, Returns to Buying Winners and Selling Losers, 1993).
import type { BarSeries } from '../market/bar-series.ts';
import { monthsBefore, tradingDay } from '../market/trading-day.ts';

/**
 * last / first - 1 over the closes dated within [day - skip - months, day - skip], both ends included; NaN where the
 * history does not reach back that far.
 */
export function monthReturn(
  bars: BarSeries,
  { months, skip }: { readonly months: number; readonly skip: number },
): Float64Array {
  const result = new Float64Array(bars.length).fill(Number.NaN);
  const days = new Int32Array(bars.length);
  for (let i = 0; i < bars.length; i++) days[i] = tradingDay(bars.closedAt[i]!);
  let first = 0;
  let last = -1;
  for (let i = 0; i < bars.length; i++) {
    const until = monthsBefore(days[i]!, skip);
    const from = monthsBefore(until, months);
    while (first < bars.length && days[first]! < from) first++;
    while (last + 1 <= i && days[last + 1]! <= until) last++;
    if (days[0]! > from || first > last) continue;
    result[i] = bars.close[last]! / bars.close[first]! - 1;
  }
  return result;
}
