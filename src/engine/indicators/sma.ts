// Simple moving average: the plain mean of the last `window` values (Pring, Technical Analysis Explained, ch. 11).
// Promises a sum taken anew once per window, so that rounding never builds up however long the series is.
import { firstDefined, requireWindow, undefinedColumn } from './window.ts';

export function sma(values: Float64Array, window: number): Float64Array {
  requireWindow(window);
  const result = undefinedColumn(values.length);
  const first = firstDefined(values) + window - 1;
  let sum = 0;
  let untilFresh = 0;
  for (let i = first; i < values.length; i++) {
    if (untilFresh === 0) {
      sum = 0;
      for (let j = i - window + 1; j <= i; j++) sum += values[j]!;
      untilFresh = window;
    } else {
      sum += values[i]! - values[i - window]!;
    }
    untilFresh--;
    result[i] = sum / window;
  }
  return result;
}
