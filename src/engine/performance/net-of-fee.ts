// What an equity series leaves after a performance fee above a high-water mark (specification, section 1: 30% of
// profit), as if the fee left the account at the end of each month: on new profit only, never twice on the same.
import type { IsoDate } from '#units/instant.ts';

/** The series after the fee; at each moment the fee that has been earned and not yet taken is off as well. */
export function netOfFee(dates: readonly IsoDate[], equity: Float64Array, feePercent: number): Float64Array {
  return takeFee(monthEnds(dates), equity, feePercent).net;
}

/** 1 for the last of each month's dates, the newest date included. */
export function monthEnds(dates: readonly IsoDate[]): Uint8Array {
  return Uint8Array.from(dates, (date, t) => {
    return t + 1 === dates.length || dates[t + 1]!.slice(0, 7) !== date.slice(0, 7) ? 1 : 0;
  });
}

/** `ends` as of `monthEnds`, parallel to the equity. `paid` is the sum of all fees, in the unit of equity. */
export function takeFee(
  ends: Uint8Array,
  equity: Float64Array,
  feePercent: number,
): { readonly net: Float64Array; readonly paid: number } {
  if (equity.length === 0 || feePercent === 0) return { net: equity.slice(), paid: 0 };
  const net = new Float64Array(equity.length);
  const rate = feePercent / 100;
  // What the account would hold, and the highest it has been billed at.
  let held = equity[0]!;
  let mark = held;
  let paid = 0;
  net[0] = held;
  for (let t = 1; t < equity.length; t++) {
    held *= equity[t]! / equity[t - 1]!;
    const fee = rate * Math.max(0, held - mark);
    net[t] = held - fee;
    if (ends[t] === 0) continue;
    held -= fee;
    paid += fee;
    mark = Math.max(mark, held);
  }
  return { net, paid };
}
