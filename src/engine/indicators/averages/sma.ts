// Simple moving average: the plain mean of the last `window` values (Pring, Technical Analysis Explained, ch. 11).
// Promises a sum recomputed at least every 512 values, so that rounding errors never build up, for series of any
// length.
import { firstDefined, requireWindow } from '../window.ts';

export function sma(values: Float64Array, window: number): Float64Array {
  requireWindow(window);
  const { length } = values;
  const result = new Float64Array(length);
  const first = firstDefined(values) + window - 1;
  const block = Math.max(window, FRESH_EVERY);
  result.fill(Number.NaN, 0, Math.min(first, length));
  for (let from = first; from < length; from += block) {
    let sum = 0;
    for (let j = from - window + 1; j <= from; j++) sum += values[j]!;
    result[from] = sum / window;
    const to = Math.min(length, from + block);
    for (let i = from + 1; i < to; i++) {
      sum += values[i]! - values[i - window]!;
      result[i] = sum / window;
    }
  }
  return result;
}

/** How many values at most are added to one sum. */
const FRESH_EVERY = 512;
