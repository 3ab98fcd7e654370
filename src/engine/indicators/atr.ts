// True range and its Wilder average (Wilder, New Concepts in Technical Trading Systems, 1978). The true range needs
// the close before, so it starts at the second bar, and the average `window` bars after the first.
import { wilder } from './averages/ema.ts';
import { requireSameLength, undefinedColumn } from './window.ts';

export type HighLowClose = {
  readonly high: Float64Array;
  readonly low: Float64Array;
  readonly close: Float64Array;
};

/** The greatest of high − low, |high − close before| and |low − close before|. */
export function trueRange({ high, low, close }: HighLowClose): Float64Array {
  requireSameLength(high, low, close);
  const result = undefinedColumn(close.length);
  for (let i = 1; i < close.length; i++) {
    const before = close[i - 1]!;
    result[i] = Math.max(high[i]! - low[i]!, Math.abs(high[i]! - before), Math.abs(low[i]! - before));
  }
  return result;
}

export function atr(bars: HighLowClose, window: number): Float64Array {
  return wilder(trueRange(bars), window);
}
