// Exponential moving average with weight 2 / (window + 1), started with the simple mean of the first `window` values
// (the usual convention; Appel, The Moving Average Convergence-Divergence Trading Method).
import { firstDefined, requireWindow, undefinedColumn } from '../window.ts';

export function ema(values: Float64Array, window: number): Float64Array {
  return smoothed(values, window, 2 / (window + 1));
}

/** Wilder's smoothing: the same with weight 1 / window (Wilder, New Concepts in Technical Trading Systems, 1978). */
export function wilder(values: Float64Array, window: number): Float64Array {
  return smoothed(values, window, 1 / window);
}

function smoothed(values: Float64Array, window: number, weight: number): Float64Array {
  requireWindow(window);
  const result = undefinedColumn(values.length);
  const start = firstDefined(values);
  const first = start + window - 1;
  if (first >= values.length) return result;
  let sum = 0;
  for (let i = start; i <= first; i++) sum += values[i]!;
  let average = sum / window;
  result[first] = average;
  for (let i = first + 1; i < values.length; i++) {
    average += weight * (values[i]! - average);
    result[i] = average;
  }
  return result;
}
