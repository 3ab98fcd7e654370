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

/** The same column block by block, bit for bit, for whoever reads it once and need not keep it. */
export class RunningMean {
  readonly #values: Float64Array;
  readonly #window: number;
  readonly #first: number;
  readonly #block: number;
  #sum = 0;
  /** The mean that the sum is ready for. */
  #next = -1;

  constructor(values: Float64Array, window: number) {
    requireWindow(window);
    this.#values = values;
    this.#window = window;
    this.#first = firstDefined(values) + window - 1;
    this.#block = Math.max(window, FRESH_EVERY);
  }

  /** The index of the first mean. */
  get first(): number {
    return this.#first;
  }

  /** Writes the means from `from` up to, not including, `to` to the beginning of `out`. */
  write(out: Float64Array, from: number, to: number): void {
    const values = this.#values;
    const window = this.#window;
    let i = Math.max(from, Math.min(this.#first, to));
    out.fill(Number.NaN, 0, i - from);
    if (i < to && i !== this.#next) this.#seek(i);
    let sum = this.#sum;
    while (i < to) {
      const anchor = i - ((i - this.#first) % this.#block);
      if (i === anchor) {
        sum = this.#fresh(i);
        out[i++ - from] = sum / window;
      }
      const end = Math.min(to, anchor + this.#block);
      for (; i < end; i++) {
        sum += values[i]! - values[i - window]!;
        out[i - from] = sum / window;
      }
    }
    this.#sum = sum;
    this.#next = i;
  }

  /** Brings the sum to where it stands before the mean at `index`. */
  #seek(index: number): void {
    const anchor = index - ((index - this.#first) % this.#block);
    if (index === anchor) return;
    this.#sum = this.#fresh(anchor);
    for (let i = anchor + 1; i < index; i++) this.#sum += this.#values[i]! - this.#values[i - this.#window]!;
  }

  #fresh(index: number): number {
    let sum = 0;
    for (let i = index - this.#window + 1; i <= index; i++) sum += this.#values[i]!;
    return sum;
  }
}
