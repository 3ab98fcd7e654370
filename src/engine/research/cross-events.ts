// The bars at which two columns cross, as a short list that a run jumps along. Promises the crosses that the columns
// themselves show, also where it never writes them: means are compared by their sums wherever that is certain.
import type { RunningMean } from '../indicators/sma.ts';
import { grown } from './fill-log.ts';

export class SignalEvents {
  count = 0;
  bars = new Int32Array(CAPACITY);
  /** Sums of the codes of signal-codes.ts. */
  codes = new Uint8Array(CAPACITY);

  add(bar: number, code: number): void {
    if (this.count === this.bars.length) this.#grow();
    this.bars[this.count] = bar;
    this.codes[this.count++] = code;
  }

  /** Room for so many events, which are then written without asking. */
  reserve(events: number): void {
    if (this.bars.length >= events) return;
    this.bars = new Int32Array(events);
    this.codes = new Uint8Array(events);
  }

  #grow(): void {
    this.bars = grown(this.bars, new Int32Array(this.bars.length * 4));
    this.codes = grown(this.codes, new Uint8Array(this.codes.length * 4));
  }
}

export type CrossCodes = {
  readonly above: number;
  readonly below: number;
  /** The first bar that may cross; the one before it is defined. */
  readonly readyBar: number;
};

/** Where `left` passes from strictly below `right` to strictly above it at the next bar, and back. */
export function findCrosses(
  events: SignalEvents,
  { left, right }: { readonly left: Float64Array; readonly right: Float64Array },
  { readyBar, above, below }: CrossCodes,
): void {
  const { length } = left;
  events.reserve(length);
  const { bars, codes } = events;
  let count = 0;
  let i = readyBar;
  let before = i < length ? left[i - 1]! - right[i - 1]! : 0;
  while (i < length) {
    if (before > 0) {
      while (i < length && left[i]! > right[i]!) i++;
      if (i === length) break;
      before = left[i]! - right[i]!;
      if (before < 0) {
        bars[count] = i;
        codes[count++] = below;
      }
    } else if (before < 0) {
      while (i < length && left[i]! < right[i]!) i++;
      if (i === length) break;
      before = left[i]! - right[i]!;
      if (before > 0) {
        bars[count] = i;
        codes[count++] = above;
      }
    } else before = left[i]! - right[i]!;
    i++;
  }
  events.count = count;
}

/** The same for two means, without their columns. */
export function findMeanCrosses(
  events: SignalEvents,
  means: { readonly left: RunningMean; readonly right: RunningMean },
  asked: CrossCodes,
): void {
  const { left, right } = means;
  const { length } = left.values;
  events.count = 0;
  if (asked.readyBar > length) return;
  const scan = new MeanScan(events, means, asked);
  for (let from = asked.readyBar - 1; from < length; ) {
    const to = Math.min(length, left.nextFresh(from), right.nextFresh(from));
    scan.pass(from, to);
    from = to;
  }
}

/** A column from the first bar looked at: what comes into a sum there, and what leaves it. */
type Moving = { readonly coming: Float64Array; readonly leaving: Float64Array };

class MeanScan {
  readonly #events: SignalEvents;
  readonly #left: RunningMean;
  readonly #right: RunningMean;
  readonly #asked: CrossCodes;
  readonly #lefts: Moving;
  readonly #rights: Moving;
  #sumLeft = Number.NaN;
  #sumRight = Number.NaN;
  /** On which side of the right mean the left one is: 1 above, -1 below, 0 neither. */
  #side = 0;

  constructor(
    events: SignalEvents,
    { left, right }: { readonly left: RunningMean; readonly right: RunningMean },
    asked: CrossCodes,
  ) {
    this.#events = events;
    this.#left = left;
    this.#right = right;
    this.#asked = asked;
    this.#lefts = movingFrom(left, asked.readyBar);
    this.#rights = movingFrom(right, asked.readyBar);
  }

  /**
   * The bars from `from` up to, not including, `to`, none of which but the first begins a fresh sum. One loop while the
   * left mean is above and one while it is below, over views that begin at the same index, and no division: this is
   * where a long run spends its time.
   */
  pass(from: number, to: number): void {
    const { coming: newLeft, leaving: oldLeft } = this.#lefts;
    const { coming: newRight, leaving: oldRight } = this.#rights;
    const wideLeft = this.#left.window;
    const wideRight = this.#right.window;
    let sumLeft = this.#left.next(this.#sumLeft, from);
    let sumRight = this.#right.next(this.#sumRight, from);
    let side = this.#turn(from, signOf(sumLeft / wideLeft - sumRight / wideRight));
    const { readyBar } = this.#asked;
    const end = to - readyBar;
    for (let k = from + 1 - readyBar; k < end; k++) {
      if (side > 0) {
        for (; k < end; k++) {
          sumLeft += newLeft[k]! - oldLeft[k]!;
          sumRight += newRight[k]! - oldRight[k]!;
          const scaled = sumLeft * wideRight;
          if (!(scaled - sumRight * wideLeft > Math.abs(scaled) * ROUNDINGS)) break;
        }
      } else if (side < 0) {
        for (; k < end; k++) {
          sumLeft += newLeft[k]! - oldLeft[k]!;
          sumRight += newRight[k]! - oldRight[k]!;
          const scaled = sumLeft * wideRight;
          if (!(sumRight * wideLeft - scaled > Math.abs(scaled) * ROUNDINGS)) break;
        }
      } else {
        sumLeft += newLeft[k]! - oldLeft[k]!;
        sumRight += newRight[k]! - oldRight[k]!;
      }
      if (k < end) side = this.#turn(k + readyBar, signOf(sumLeft / wideLeft - sumRight / wideRight));
    }
    this.#sumLeft = sumLeft;
    this.#sumRight = sumRight;
  }

  /** Hears where the means themselves are: where one loop ends, sums may be too near to tell. */
  #turn(bar: number, side: number): number {
    if (side * this.#side < 0) {
      this.#events.add(bar, side > 0 ? this.#asked.above : this.#asked.below);
    }
    this.#side = side;
    return side;
  }
}

function signOf(gap: number): number {
  return gap > 0 ? 1 : gap < 0 ? -1 : 0;
}

function movingFrom({ values, window }: RunningMean, bar: number): Moving {
  return { coming: values.subarray(bar), leaving: values.subarray(bar - window, values.length - window) };
}

/** More than the few roundings of at most 2^-53 each that lie between sums and means compared: 2^-49. */
const ROUNDINGS = 1.7763568394002505e-15;
const CAPACITY = 1_024;
