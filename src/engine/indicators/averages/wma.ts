// Linearly weighted moving average: weights 1, 2, … window, the newest the heaviest (Pring, Technical Analysis
// Explained, ch. 11). The two running sums are recomputed once per window.
import { firstDefined, requireWindow, undefinedColumn } from '../window.ts';

export function wma(values: Float64Array, window: number): Float64Array {
  requireWindow(window);
  const result = undefinedColumn(values.length);
  const first = firstDefined(values) + window - 1;
  const divisor = (window * (window + 1)) / 2;
  let plain = 0;
  let weighted = 0;
  let untilFresh = 0;
  for (let i = first; i < values.length; i++) {
    if (untilFresh === 0) {
      plain = 0;
      weighted = 0;
      for (let j = 1; j <= window; j++) {
        const value = values[i - window + j]!;
        plain += value;
        weighted += j * value;
      }
      untilFresh = window;
    } else {
      weighted += window * values[i]! - plain;
      plain += values[i]! - values[i - window]!;
    }
    untilFresh--;
    result[i] = weighted / divisor;
  }
  return result;
}
