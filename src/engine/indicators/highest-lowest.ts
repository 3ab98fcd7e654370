// Highest and lowest of the last `window` values, the newest included, in one pass: a queue keeps only the values
// that can still become the extreme (the ascending minima algorithm; Lemire, 2006).
import { firstDefined, requireWindow, undefinedColumn } from './window.ts';

export function highest(values: Float64Array, window: number): Float64Array {
  return extreme(values, window, 1);
}

export function lowest(values: Float64Array, window: number): Float64Array {
  return extreme(values, window, -1);
}

function extreme(values: Float64Array, window: number, sign: 1 | -1): Float64Array {
  requireWindow(window);
  const result = undefinedColumn(values.length);
  const start = firstDefined(values);
  const queue = new Int32Array(values.length);
  let head = 0;
  let tail = 0;
  for (let i = start; i < values.length; i++) {
    const value = values[i]! * sign;
    while (tail > head && values[queue[tail - 1]!]! * sign <= value) tail--;
    queue[tail++] = i;
    if (queue[head]! <= i - window) head++;
    if (i >= start + window - 1) result[i] = values[queue[head]!]!;
  }
  return result;
}
