// Pearson's correlation of two columns over the last `window` pairs, −1 to 1: the mean product of their deviations
// over the product of their standard deviations. NaN where one of them did not move.
import { LOST_DIGITS } from './rolling-deviation.ts';
import { firstDefined, requireSameLength, requireWindow, undefinedColumn } from './window.ts';

export function rollingCorrelation(left: Float64Array, right: Float64Array, window: number): Float64Array {
  requireWindow(window, 2);
  requireSameLength(left, right);
  const result = undefinedColumn(left.length);
  const start = Math.max(firstDefined(left), firstDefined(right));
  const sums = new PairSums(left, right, window);
  for (let i = start + window - 1; i < left.length; i++) result[i] = sums.correlationAt(i);
  return result;
}

/** Running sums as in rolling-deviation.ts: recomputed once per window and where digits would be lost. */
class PairSums {
  readonly #left: Float64Array;
  readonly #right: Float64Array;
  readonly #window: number;
  #untilFresh = 0;
  #leftMean = 0;
  #rightMean = 0;
  #leftSquares = 0;
  #rightSquares = 0;
  #products = 0;
  #leftLargest = 0;
  #rightLargest = 0;
  #leftEqual = 0;
  #rightEqual = 0;

  constructor(left: Float64Array, right: Float64Array, window: number) {
    this.#left = left;
    this.#right = right;
    this.#window = window;
  }

  correlationAt(i: number): number {
    if (this.#untilFresh > 0) this.#slide(i);
    if (this.#untilFresh === 0) this.#recompute(i);
    this.#untilFresh--;
    if (this.#leftEqual >= this.#window || this.#rightEqual >= this.#window) return Number.NaN;
    const scale = Math.sqrt(this.#leftSquares) * Math.sqrt(this.#rightSquares);
    return Math.max(-1, Math.min(1, this.#products / scale));
  }

  #recompute(last: number): void {
    const first = last - this.#window + 1;
    let leftSum = 0;
    let rightSum = 0;
    for (let i = first; i <= last; i++) {
      leftSum += this.#left[i]!;
      rightSum += this.#right[i]!;
    }
    this.#leftMean = leftSum / this.#window;
    this.#rightMean = rightSum / this.#window;
    this.#leftSquares = 0;
    this.#rightSquares = 0;
    this.#products = 0;
    for (let i = first; i <= last; i++) {
      const x = this.#left[i]! - this.#leftMean;
      const y = this.#right[i]! - this.#rightMean;
      this.#leftSquares += x * x;
      this.#rightSquares += y * y;
      this.#products += x * y;
    }
    this.#leftEqual = equalRun(this.#left, last, this.#window);
    this.#rightEqual = equalRun(this.#right, last, this.#window);
    this.#leftLargest = this.#leftSquares;
    this.#rightLargest = this.#rightSquares;
    this.#untilFresh = this.#window;
  }

  #slide(i: number): void {
    const window = this.#window;
    const x = this.#left[i]!;
    const y = this.#right[i]!;
    const oldX = this.#left[i - window]!;
    const oldY = this.#right[i - window]!;
    const leftBefore = this.#leftMean;
    const rightBefore = this.#rightMean;
    this.#leftMean += (x - oldX) / window;
    this.#rightMean += (y - oldY) / window;
    this.#leftSquares += (x - oldX) * (x - this.#leftMean + oldX - leftBefore);
    this.#rightSquares += (y - oldY) * (y - this.#rightMean + oldY - rightBefore);
    this.#products += (x - oldX) * (y - this.#rightMean) + (y - oldY) * (oldX - leftBefore);
    this.#leftLargest = Math.max(this.#leftLargest, this.#leftSquares);
    this.#rightLargest = Math.max(this.#rightLargest, this.#rightSquares);
    const leftLost = this.#leftSquares < this.#leftLargest * LOST_DIGITS;
    const rightLost = this.#rightSquares < this.#rightLargest * LOST_DIGITS;
    if (leftLost || rightLost) this.#untilFresh = 0;
    this.#leftEqual = x === this.#left[i - 1] ? this.#leftEqual + 1 : 1;
    this.#rightEqual = y === this.#right[i - 1] ? this.#rightEqual + 1 : 1;
  }
}

/** How many of the last `window` values up to `last` equal the newest one without interruption. */
function equalRun(values: Float64Array, last: number, window: number): number {
  let run = 1;
  while (run < window && values[last - run] === values[last]) run++;
  return run;
}
