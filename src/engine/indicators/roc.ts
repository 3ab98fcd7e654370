// Rate of change: value over value `window` bars ago, minus 1, as a fraction (Pring, Technical Analysis Explained,
// ch. 13). With a window of 1 these are the simple returns.
import { requireWindow, undefinedColumn } from './window.ts';

export function roc(values: Float64Array, window: number): Float64Array {
  requireWindow(window);
  const result = undefinedColumn(values.length);
  for (let i = window; i < values.length; i++) result[i] = values[i]! / values[i - window]! - 1;
  return result;
}
