// The money of one variant: the arithmetic of a research run's book, counted instead of logged. While something is
// held, only bars at which the price turns are looked at, and closely only when they can set a new peak or depth.
import { MICRO_PER_UNIT } from '#units/money.ts';
import { roundHalfEven } from '#units/round.ts';
import type { BarSeries } from '../market/bar-series.ts';
import { commissionMicro, entryPrice, entryQuantity } from '../research/fill-rules.ts';
import type { SweepInput } from './sweep.ts';

export class SweepBook {
  side: -1 | 0 | 1 = 0;
  fills = 0;
  trades = 0;
  deepest = 0;
  readonly #execution: SweepInput['execution'];
  readonly #bars: BarSeries;
  readonly #step: number;
  readonly #multiplier: number;
  /** First cash plus everything realised, Micro. */
  #settled = 0;
  #quantity = 0;
  #cost = 0;
  #peak = 0;
  #floor = 0;
  #high = 0;
  #low = 0;
  readonly #turns: Turns;

  constructor({ execution, instrument }: Pick<SweepInput, 'execution' | 'instrument'>, bars: BarSeries) {
    this.#execution = execution;
    this.#bars = bars;
    this.#step = instrument.quantityStep;
    this.#multiplier = instrument.multiplier;
    this.#turns = turnsOf(bars);
  }

  reset(): void {
    this.side = 0;
    this.fills = 0;
    this.trades = 0;
    this.deepest = 0;
    this.#settled = this.#execution.initialCash;
    this.#quantity = 0;
    this.#cost = 0;
    this.#peak = Number.NEGATIVE_INFINITY;
    this.#floor = Number.NEGATIVE_INFINITY;
  }

  /** Whether a code asks for nothing while something is held. */
  ignores(code: number, repeats: boolean): boolean {
    return !repeats && (code & (this.side === 1 ? ASKED_WHILE_LONG : ASKED_WHILE_SHORT)) === 0;
  }

  /** Acts at bar `next` on what the close before it asked for. */
  trade(next: number, closes: boolean, opens: -1 | 0 | 1): void {
    const { open, close } = this.#bars;
    const market = this.#execution.fill === 'same_close' ? close[next - 1]! : open[next]!;
    if (closes && this.side !== 0) this.#close(market);
    if (opens !== 0) this.#open(market, opens);
  }

  #open(market: number, direction: -1 | 1): void {
    const execution = this.#execution;
    const price = entryPrice(market, direction, execution.spreadRate);
    const size = entryQuantity(this.#settled, { market, entry: price }, { execution, step: this.#step });
    if (size === 0) return;
    this.side = direction;
    this.#quantity = direction * size;
    this.#cost = roundHalfEven((this.#quantity * price * this.#multiplier) / 100);
    this.#settled = whole(this.#settled - commissionMicro(size, price, execution.commissionRate));
    this.fills++;
  }

  #close(price: number): void {
    const commission = commissionMicro(this.#quantity, price, this.#execution.commissionRate);
    const profit = roundHalfEven((this.#quantity * price * this.#multiplier) / 100) - this.#cost;
    this.#settled = whole(this.#settled + profit - commission);
    this.fills++;
    this.trades++;
    this.side = 0;
    this.#quantity = 0;
    this.#cost = 0;
  }

  /** Follows equity over the bars from `from` up to, not including, `to`. */
  mark(from: number, to: number): void {
    if (from >= to) return;
    if (this.side === 0) {
      this.#look(this.#settled);
      return;
    }
    const { close } = this.#bars;
    this.#look(this.#worthAt(close[from]!));
    if (from + 1 === to) return;
    const { firstFrom } = this.#turns;
    this.#passTurns(firstFrom[from + 1]!, firstFrom[to - 1]!, close[to - 1]!);
  }

  /** Follows equity along the turns from `first` up to, not including, `end`, and to the last price. */
  #passTurns(first: number, end: number, last: number): void {
    const { price: prices, blockLow, blockHigh } = this.#turns;
    this.#setQuiet();
    for (let k = first; k < end; k++) {
      if ((k & BLOCK_MASK) === 0 && k + BLOCK <= end) {
        const block = k >> BLOCK_BITS;
        if (blockHigh[block]! <= this.#high && blockLow[block]! >= this.#low) {
          k += BLOCK - 1;
          continue;
        }
      }
      this.#pass(prices[k]!);
    }
    this.#pass(last);
  }

  #pass(price: number): void {
    if (price <= this.#high && price >= this.#low) return;
    const value = this.#worthAt(price);
    if (value > this.#peak || value < this.#floor) {
      this.#look(value);
      this.#setQuiet();
    }
  }

  /** Prices between these two round to an equity that neither passes the peak nor falls below the floor. */
  #setQuiet(): void {
    const base = this.#settled - this.#cost;
    const inverse = 100 / (this.#quantity * this.#multiplier);
    const isLong = inverse > 0;
    const atPeak = (this.#peak - base) * inverse;
    const atFloor = (Math.ceil(this.#floor) - base) * inverse;
    this.#high = (isLong ? atPeak : atFloor) * (1 - SLACK);
    this.#low = Math.max(0, (isLong ? atFloor : atPeak) * (1 + SLACK));
  }

  /** Whether every depth was measured finely enough that passing over bars made no difference. */
  get isFine(): boolean {
    return this.#peak < FINE_BELOW;
  }

  /** At the last bar, Micro. */
  finalEquity(): number {
    const { close, length } = this.#bars;
    return length === 0 || this.side === 0 ? this.#settled : this.#worthAt(close[length - 1]!);
  }

  #worthAt(price: number): number {
    return this.#settled - this.#cost + roundHalfEven((this.#quantity * price * this.#multiplier) / 100);
  }

  /** Peak and depth as deepest-fall.ts keeps them. */
  #look(value: number): void {
    if (value > this.#peak) {
      this.#peak = value;
      this.#floor = value * (1 - this.deepest);
    } else if (value < this.#floor) {
      this.deepest = (this.#peak - value) / this.#peak;
      this.#floor = this.#peak * (1 - this.deepest);
    }
  }
}

/** The bars at which the close does not go on in the direction in which it came: all that can be a peak or a depth. */
type Turns = {
  readonly price: Float64Array;
  /** The lowest and the highest price of each whole block of turns, so that a quiet one is passed over at once. */
  readonly blockLow: Float64Array;
  readonly blockHigh: Float64Array;
  /** For each bar, the index of the first turn at it or after it. */
  readonly firstFrom: Int32Array;
};

function turnsOf({ close, length }: BarSeries): Turns {
  const price = new Float64Array(length);
  const firstFrom = new Int32Array(length + 1);
  let count = 0;
  for (let i = 0; i < length; i++) {
    firstFrom[i] = count;
    const before = close[i - 1]!;
    const now = close[i]!;
    const after = close[i + 1]!;
    // Of equal bars the last one stands for all.
    const goesOn = (before < now && now <= after) || (before > now && now >= after);
    if (!goesOn) price[count++] = now;
  }
  firstFrom[length] = count;
  const blocks = count >> BLOCK_BITS;
  const blockLow = new Float64Array(blocks).fill(Number.POSITIVE_INFINITY);
  const blockHigh = new Float64Array(blocks).fill(Number.NEGATIVE_INFINITY);
  for (let k = 0; k < blocks << BLOCK_BITS; k++) {
    const block = k >> BLOCK_BITS;
    blockLow[block] = Math.min(blockLow[block]!, price[k]!);
    blockHigh[block] = Math.max(blockHigh[block]!, price[k]!);
  }
  return { price, blockLow, blockHigh, firstFrom };
}

/** States that an amount is still exact. */
function whole(amountMicro: number): number {
  if (!Number.isSafeInteger(amountMicro))
    throw new RangeError(`money out of range: ${amountMicro / MICRO_PER_UNIT}`);
  return amountMicro;
}

const BLOCK_BITS = 3;
const BLOCK = 1 << BLOCK_BITS;
const BLOCK_MASK = BLOCK - 1;
/** Exit long or enter short; enter long or exit short. */
const ASKED_WHILE_LONG = 2 | 4;
const ASKED_WHILE_SHORT = 1 | 8;
/** More than the few roundings of at most 2^-53 each that lie between a price and its worth. */
const SLACK = 1e-14;
/** 2^50 Micro, about a billion dollars: below it the rounding of a depth is less than one Micro of equity. */
const FINE_BELOW = 1_125_899_906_842_624;
