// Simple moving average: the plain mean of the last `window` values (Pring, Technical Analysis Explained, ch. 11).
// Promises a sum taken anew at least every 512 values, so that rounding never builds up however long the series is.
import { firstDefined, requireWindow } from './window.ts';

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
export const FRESH_EVERY = 512;

/** The sums behind the same column, bit for bit, for whoever compares means and need not keep them. */
export class RunningMean {
  readonly values: Float64Array;
  readonly window: number;
  /** The index of the first mean. */
  readonly first: number;
  readonly #block: number;

  constructor(values: Float64Array, window: number) {
    requireWindow(window);
    this.values = values;
    this.window = window;
    this.first = firstDefined(values) + window - 1;
    this.#block = Math.max(window, FRESH_EVERY);
  }

  /** The sum of the window that ends at `index`, from the one before it; NaN stands for an unknown one. */
  next(sumBefore: number, index: number): number {
    const { values, window } = this;
    const past = (index - this.first) % this.#block;
    if (past === 0) return this.#fresh(index);
    if (!Number.isNaN(sumBefore)) return sumBefore + (values[index]! - values[index - window]!);
    let sum = this.#fresh(index - past);
    for (let i = index - past + 1; i <= index; i++) sum += values[i]! - values[i - window]!;
    return sum;
  }

  /** The first index after `index` whose sum is taken anew. */
  nextFresh(index: number): number {
    return index + this.#block - ((index - this.first) % this.#block);
  }

  #fresh(index: number): number {
    let sum = 0;
    for (let i = index - this.window + 1; i <= index; i++) sum += this.values[i]!;
    return sum;
  }
}
