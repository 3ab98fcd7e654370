// What every indicator shares: a result of NaN until it is defined, a whole window length, and the first value that
// is there. Inputs may begin with NaN (another indicator's warm-up); after the first number no NaN may follow.

/** A column of NaN. */
export function undefinedColumn(length: number): Float64Array {
  return new Float64Array(length).fill(Number.NaN);
}

/** Throws RangeError when a window is not a whole number of at least `least` bars. */
export function requireWindow(bars: number, least = 1): void {
  if (!Number.isSafeInteger(bars) || bars < least) {
    throw new RangeError(`a window must be a whole number of at least ${least} bars, not ${bars}`);
  }
}

/** Throws RangeError when columns of one indicator differ in length. */
export function requireSameLength(first: Float64Array, ...others: readonly Float64Array[]): void {
  for (const other of others) {
    if (other.length !== first.length) {
      throw new RangeError(`columns of ${first.length} and ${other.length} bars do not belong together`);
    }
  }
}

/** Index of the first number, or the length when there is none. */
export function firstDefined(values: Float64Array): number {
  let index = 0;
  while (index < values.length && Number.isNaN(values[index]!)) index++;
  return index;
}
