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
  const net = new Float64Array(equity.length);
  const rate = feePercent / 100;
  // What is left of each dollar of the equity, and the highest that the account was billed at.
  let left = 1;
  let mark = equity[0]!;
  let paid = 0;
  for (let t = 0; t < net.length; t++) {
    const held = equity[t]! * left;
    const fee = rate * Math.max(0, held - mark);
    net[t] = held - fee;
    if (ends[t] === 0 || fee === 0) continue;
    left = net[t]! / equity[t]!;
    paid += fee;
    mark = net[t]!;
  }
  return { net, paid };
}
