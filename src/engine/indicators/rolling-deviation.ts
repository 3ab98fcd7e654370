// Mean and standard deviation over the last `window` values, by Welford's update for a sliding window (Knuth, TAOCP
// vol. 2, 4.2.2, run forwards and backwards), recomputed in two passes once per window and wherever the update would
// lose its digits. A window of equal values has a deviation of exactly 0.
import { firstDefined, requireWindow, undefinedColumn } from './window.ts';

export type RollingDeviation = { readonly mean: Float64Array; readonly deviation: Float64Array };

/** `sample` divides by window − 1, `population` by window. */
export type DeviationKind = 'sample' | 'population';

export function rollingDeviation(
  values: Float64Array,
  window: number,
  kind: DeviationKind,
): RollingDeviation {
  requireWindow(window, kind === 'sample' ? 2 : 1);
  const mean = undefinedColumn(values.length);
  const deviation = undefinedColumn(values.length);
  const divisor = kind === 'sample' ? window - 1 : window;
  const start = firstDefined(values);
  let average = 0;
  let squares = 0;
  let largest = 0;
  let untilFresh = 0;
  let equal = 1;
  for (let i = start + 1; i < start + window - 1 && i < values.length; i++) {
    equal = values[i] === values[i - 1] ? equal + 1 : 1;
  }
  for (let i = start + window - 1; i < values.length; i++) {
    if (window > 1) equal = values[i] === values[i - 1] ? equal + 1 : 1;
    if (untilFresh > 0) {
      const added = values[i]!;
      const dropped = values[i - window]!;
      const before = average;
      average += (added - dropped) / window;
      squares += (added - dropped) * (added - average + dropped - before);
      if (squares > largest) largest = squares;
      else if (squares < largest * LOST_DIGITS) untilFresh = 0;
    }
    if (untilFresh === 0) {
      average = windowMean(values, i, window);
      squares = windowSquares(values, i, window, average);
      largest = squares;
      untilFresh = window;
    }
    untilFresh--;
    const flat = equal >= window;
    mean[i] = flat ? values[i]! : average;
    deviation[i] = flat || squares <= 0 ? 0 : Math.sqrt(squares / divisor);
  }
  return { mean, deviation };
}

/** A sum that shrank to this share of what it was has lost about half of its 16 digits. */
export const LOST_DIGITS = 1e-8;

function windowMean(values: Float64Array, last: number, window: number): number {
  let sum = 0;
  for (let i = last - window + 1; i <= last; i++) sum += values[i]!;
  return sum / window;
}

function windowSquares(values: Float64Array, last: number, window: number, mean: number): number {
  let sum = 0;
  for (let i = last - window + 1; i <= last; i++) {
    const away = values[i]! - mean;
    sum += away * away;
  }
  return sum;
}
