// What an equity series leaves after a performance fee above a high-water mark (specification, section 1: 30% of
// profit), as if the fee left the account at the end of each month: on new profit only, never twice on the same.
import type { IsoDate } from '#units/instant.ts';

/** The series after the fee; at each moment the fee that has been earned and not yet taken is off as well. */
export function netOfFee(dates: readonly IsoDate[], equity: Float64Array, feePercent: number): Float64Array {
  const net = new Float64Array(equity.length);
  if (equity.length === 0) return net;
  const rate = feePercent / 100;
  // What the account would hold, and the highest it has been billed at.
  let held = equity[0]!;
  let mark = held;
  net[0] = held;
  for (let t = 1; t < equity.length; t++) {
    held *= equity[t]! / equity[t - 1]!;
    const fee = rate * Math.max(0, held - mark);
    net[t] = held - fee;
    const isMonthEnd = t + 1 === equity.length || dates[t + 1]!.slice(0, 7) !== dates[t]!.slice(0, 7);
    if (!isMonthEnd) continue;
    held -= fee;
    mark = Math.max(mark, held);
  }
  return net;
}
