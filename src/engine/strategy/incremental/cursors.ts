// The indicators' recurrences held between two bars: each takes the next value of its column and gives the same bits as
// the indicator over the whole column would at that place.
import { LOST_DIGITS } from '../../indicators/rolling-deviation.ts';
import { FRESH_EVERY } from '../../indicators/sma.ts';
import type { GrowingColumn } from './growing-column.ts';

/** Reads the newest value of its source; called once for each. */
export type Cursor = { next(): number };

/** Where a column begins: NaN may stand before its first number only. */
class Start {
  readonly #source: GrowingColumn;
  #first = -1;

  constructor(source: GrowingColumn) {
    this.#source = source;
  }

  /** How many numbers there are up to the newest, 0 before the first. */
  seen(): number {
    const last = this.#source.length - 1;
    if (this.#first < 0 && !Number.isNaN(this.#source.values[last]!)) this.#first = last;
    return this.#first < 0 ? 0 : last - this.#first + 1;
  }
}

/** indicators/sma.ts */
export class MeanCursor implements Cursor {
  readonly #source: GrowingColumn;
  readonly #window: number;
  readonly #start: Start;
  #sum = 0;

  constructor(source: GrowingColumn, window: number) {
    this.#source = source;
    this.#window = window;
    this.#start = new Start(source);
  }

  next(): number {
    const { values, length } = this.#source;
    const window = this.#window;
    const since = this.#start.seen() - window;
    if (since < 0) return Number.NaN;
    if (since % Math.max(window, FRESH_EVERY) === 0) {
      this.#sum = 0;
      for (let j = length - window; j < length; j++) this.#sum += values[j]!;
    } else this.#sum += values[length - 1]! - values[length - 1 - window]!;
    return this.#sum / window;
  }
}

/** indicators/ema.ts, of either weight. */
export class SmoothedCursor implements Cursor {
  readonly #source: GrowingColumn;
  readonly #window: number;
  readonly #weight: number;
  readonly #start: Start;
  #sum = 0;
  #average = 0;

  constructor(source: GrowingColumn, window: number, weight: number) {
    this.#source = source;
    this.#window = window;
    this.#weight = weight;
    this.#start = new Start(source);
  }

  next(): number {
    const seen = this.#start.seen();
    if (seen === 0) return Number.NaN;
    const value = this.#source.values[this.#source.length - 1]!;
    if (seen <= this.#window) {
      this.#sum += value;
      this.#average = this.#sum / this.#window;
      return seen < this.#window ? Number.NaN : this.#average;
    }
    this.#average += this.#weight * (value - this.#average);
    return this.#average;
  }
}

/** indicators/wma.ts */
export class WeightedCursor implements Cursor {
  readonly #source: GrowingColumn;
  readonly #window: number;
  readonly #start: Start;
  #plain = 0;
  #weighted = 0;

  constructor(source: GrowingColumn, window: number) {
    this.#source = source;
    this.#window = window;
    this.#start = new Start(source);
  }

  next(): number {
    const { values, length } = this.#source;
    const window = this.#window;
    const since = this.#start.seen() - window;
    if (since < 0) return Number.NaN;
    const last = length - 1;
    if (since % window === 0) {
      this.#plain = 0;
      this.#weighted = 0;
      for (let j = 1; j <= window; j++) {
        const value = values[last - window + j]!;
        this.#plain += value;
        this.#weighted += j * value;
      }
    } else {
      this.#weighted += window * values[last]! - this.#plain;
      this.#plain += values[last]! - values[last - window]!;
    }
    return this.#weighted / ((window * (window + 1)) / 2);
  }
}

/** indicators/rsi.ts */
export class StrengthCursor implements Cursor {
  readonly #source: GrowingColumn;
  readonly #window: number;
  readonly #start: Start;
  #gain = 0;
  #loss = 0;

  constructor(source: GrowingColumn, window: number) {
    this.#source = source;
    this.#window = window;
    this.#start = new Start(source);
  }

  next(): number {
    const { values, length } = this.#source;
    const window = this.#window;
    const seen = this.#start.seen() - 1;
    if (seen < 1) return Number.NaN;
    const change = values[length - 1]! - values[length - 2]!;
    const up = change > 0 ? change : 0;
    const down = change < 0 ? -change : 0;
    if (seen <= window) {
      this.#gain += up / window;
      this.#loss += down / window;
    } else {
      this.#gain += (up - this.#gain) / window;
      this.#loss += (down - this.#loss) / window;
    }
    if (seen < window) return Number.NaN;
    const both = this.#gain + this.#loss;
    return both === 0 ? 50 : (100 * this.#gain) / both;
  }
}

/** indicators/highest-lowest.ts: the window is looked through anew, which gives the same value. */
export class ExtremeCursor implements Cursor {
  readonly #source: GrowingColumn;
  readonly #window: number;
  readonly #sign: 1 | -1;
  readonly #start: Start;

  constructor(source: GrowingColumn, window: number, sign: 1 | -1) {
    this.#source = source;
    this.#window = window;
    this.#sign = sign;
    this.#start = new Start(source);
  }

  next(): number {
    const { values, length } = this.#source;
    if (this.#start.seen() < this.#window) return Number.NaN;
    let extreme = values[length - 1]!;
    for (let j = length - this.#window; j < length; j++) {
      if (values[j]! * this.#sign > extreme * this.#sign) extreme = values[j]!;
    }
    return extreme;
  }
}

/** indicators/rolling-deviation.ts; `next` is the deviation, `mean` the mean beside it. */
export class DeviationCursor implements Cursor {
  mean = Number.NaN;
  readonly #source: GrowingColumn;
  readonly #window: number;
  readonly #divisor: number;
  readonly #start: Start;
  #average = 0;
  #squares = 0;
  #largest = 0;
  #untilFresh = 0;
  #equal = 1;

  constructor(source: GrowingColumn, window: number, kind: 'sample' | 'population') {
    this.#source = source;
    this.#window = window;
    this.#divisor = kind === 'sample' ? window - 1 : window;
    this.#start = new Start(source);
  }

  next(): number {
    const { values, length } = this.#source;
    const window = this.#window;
    const last = length - 1;
    const seen = this.#start.seen();
    if (seen > 1) this.#equal = values[last] === values[last - 1] ? this.#equal + 1 : 1;
    if (seen < window) return Number.NaN;
    if (this.#untilFresh > 0) this.#slide(values[last]!, values[last - window]!);
    if (this.#untilFresh === 0) this.#takeAnew(values, last);
    this.#untilFresh--;
    const flat = this.#equal >= window;
    this.mean = flat ? values[last]! : this.#average;
    return flat || this.#squares <= 0 ? 0 : Math.sqrt(this.#squares / this.#divisor);
  }

  #slide(added: number, dropped: number): void {
    const before = this.#average;
    this.#average += (added - dropped) / this.#window;
    this.#squares += (added - dropped) * (added - this.#average + dropped - before);
    if (this.#squares > this.#largest) this.#largest = this.#squares;
    else if (this.#squares < this.#largest * LOST_DIGITS) this.#untilFresh = 0;
  }

  #takeAnew(values: Float64Array, last: number): void {
    const first = last - this.#window + 1;
    let sum = 0;
    for (let i = first; i <= last; i++) sum += values[i]!;
    this.#average = sum / this.#window;
    this.#squares = 0;
    for (let i = first; i <= last; i++) {
      const away = values[i]! - this.#average;
      this.#squares += away * away;
    }
    this.#largest = this.#squares;
    this.#untilFresh = this.#window;
  }
}
