// Relative strength index (Wilder, New Concepts in Technical Trading Systems, 1978): 100 − 100 / (1 + average gain /
// average loss), both averages Wilder-smoothed. First defined `window` bars after the first value. 100 when nothing
// fell, 50 when nothing moved.
import { firstDefined, requireWindow, undefinedColumn } from './window.ts';

export function rsi(values: Float64Array, window: number): Float64Array {
  requireWindow(window);
  const result = undefinedColumn(values.length);
  const start = firstDefined(values);
  let gain = 0;
  let loss = 0;
  for (let i = start + 1; i < values.length; i++) {
    const change = values[i]! - values[i - 1]!;
    const up = change > 0 ? change : 0;
    const down = change < 0 ? -change : 0;
    const seen = i - start;
    if (seen <= window) {
      gain += up / window;
      loss += down / window;
    } else {
      gain += (up - gain) / window;
      loss += (down - loss) / window;
    }
    if (seen >= window) result[i] = strength(gain, loss);
  }
  return result;
}

function strength(gain: number, loss: number): number {
  if (gain + loss === 0) return 50;
  return (100 * gain) / (gain + loss);
}
