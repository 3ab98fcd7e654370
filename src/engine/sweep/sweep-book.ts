// The money of one variant: the arithmetic of a research run's book, counted instead of logged. While something is
// held, a bar is looked at closely only when its price can set a new peak or a new depth.
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
  /** Prices between which neither peak nor depth can change. */
  #quietFrom = 0;
  #quietTo = 0;

  constructor({ execution, instrument }: Pick<SweepInput, 'execution' | 'instrument'>, bars: BarSeries) {
    this.#execution = execution;
    this.#bars = bars;
    this.#step = instrument.quantityStep;
    this.#multiplier = instrument.multiplier;
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
    this.#findQuiet();
    let low = this.#quietFrom;
    let high = this.#quietTo;
    for (let i = from; i < to; i++) {
      const price = close[i]!;
      if (price <= high && price >= low) continue;
      this.#look(this.#worthAt(price));
      this.#findQuiet();
      low = this.#quietFrom;
      high = this.#quietTo;
    }
  }

  /** At the last bar, Micro. */
  finalEquity(): number {
    const { close, length } = this.#bars;
    return length === 0 || this.side === 0 ? this.#settled : this.#worthAt(close[length - 1]!);
  }

  #worthAt(price: number): number {
    return this.#settled - this.#cost + roundHalfEven((this.#quantity * price * this.#multiplier) / 100);
  }

  /**
   * Peak and floor as prices, drawn in by more than the arithmetic can be off: a price within them would round to an
   * equity that neither passes the peak nor falls below the floor.
   */
  #findQuiet(): void {
    const base = this.#settled - this.#cost;
    const unit = (Math.abs(this.#quantity) * this.#multiplier) / 100;
    const most = this.#peak - base;
    const least = Math.ceil(this.#floor) - base;
    const upper = this.#quantity > 0 ? most : -least;
    const lower = this.#quantity > 0 ? least : -most;
    this.#quietTo = upper > 0 ? (upper / unit) * (1 - SLACK) : Number.NEGATIVE_INFINITY;
    this.#quietFrom = lower > 0 ? (lower / unit) * (1 + SLACK) : 0;
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

/** States that an amount is still exact. */
function whole(amountMicro: number): number {
  if (!Number.isSafeInteger(amountMicro))
    throw new RangeError(`money out of range: ${amountMicro / MICRO_PER_UNIT}`);
  return amountMicro;
}

/** Exit long or enter short; enter long or exit short. */
const ASKED_WHILE_LONG = 2 | 4;
const ASKED_WHILE_SHORT = 1 | 8;
/** Six roundings of at most 2^-53 each lie between a price and its worth. */
const SLACK = 1e-14;
