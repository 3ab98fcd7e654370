// The money of a research run held in numbers: one position, what was settled before it, the equity of every bar, its
// peak and its deepest fall. The same arithmetic as the run by events; nothing is allocated for a bar or a fill.
import { MICRO_PER_UNIT } from '#units/money.ts';
import { roundHalfEven } from '#units/round.ts';
import type { ResearchInput } from './execution.ts';
import { FillLog } from './fill-log.ts';
import { commissionMicro, entryPrice, entryQuantity, type ExitLevels, exitLevels } from './fill-rules.ts';
import { RoundTripLog } from './round-trip-log.ts';

export class ColumnBook {
  side: -1 | 0 | 1 = 0;
  /** First cash plus everything realised, Micro: what is there besides the open position's profit. */
  settled: number;
  deepest = 0;
  levels: ExitLevels = { stop: Number.NaN, target: Number.NaN };
  readonly fills = new FillLog();
  readonly trades = new RoundTripLog();
  readonly #input: ResearchInput;
  readonly #multiplier: number;
  readonly #equity: Float64Array;
  readonly #close: Float64Array;
  #entryFill = 0;
  #quantity = 0;
  #cost = 0;
  #peak = Number.NEGATIVE_INFINITY;
  #floor = Number.NEGATIVE_INFINITY;

  /** `equity` is written as far as the run has come. */
  constructor(input: ResearchInput, close: Float64Array, equity: Float64Array) {
    this.#input = input;
    this.#close = close;
    this.#equity = equity;
    this.settled = input.execution.initialCash;
    this.#multiplier = input.instrument.multiplier;
  }

  open(bar: number, market: number, direction: -1 | 1): void {
    const { execution, instrument } = this.#input;
    const price = entryPrice(market, direction, execution.spreadRate);
    const step = instrument.quantityStep;
    const size = entryQuantity(this.settled, { market, entry: price }, { execution, step });
    if (size === 0) return;
    this.side = direction;
    this.#quantity = direction * size;
    this.#cost = roundHalfEven((this.#quantity * price * this.#multiplier) / 100);
    const commission = commissionMicro(size, price, execution.commissionRate);
    this.settled = whole(this.settled - commission);
    this.#entryFill = this.fills.count;
    this.fills.add(bar, this.#quantity, price, commission);
  }

  /** Sets stop and target of what was opened on a signal at this close. */
  protect(signalClose: number): void {
    if (this.side !== 0) this.levels = exitLevels(signalClose, this.side, this.#input.definition.exits);
  }

  close(bar: number, price: number): void {
    const quantity = this.#quantity;
    const commission = commissionMicro(quantity, price, this.#input.execution.commissionRate);
    const profit = roundHalfEven((quantity * price * this.#multiplier) / 100) - this.#cost;
    this.settled = whole(this.settled + profit - commission);
    this.fills.add(bar, -quantity, price, commission);
    this.trades.addOf(this.fills, this.#entryFill, profit);
    this.side = 0;
    this.#quantity = 0;
    this.#cost = 0;
  }

  /** At the last bar, Micro. */
  finalEquity(): number {
    return this.#equity.at(-1) ?? this.settled;
  }

  /** Writes the equity of the bars from `from` up to, not including, `to`. */
  pass(from: number, to: number): void {
    if (this.side === 0) this.#stay(from, to);
    else this.#mark(from, to);
  }

  #stay(from: number, to: number): void {
    if (from >= to) return;
    const equity = this.#equity;
    const { settled } = this;
    for (let i = from; i < to; i++) equity[i] = settled;
    this.#look(settled);
  }

  #mark(from: number, to: number): void {
    const equity = this.#equity;
    const close = this.#close;
    const base = this.settled - this.#cost;
    const quantity = this.#quantity;
    const multiplier = this.#multiplier;
    let peak = this.#peak;
    let floor = this.#floor;
    for (let i = from; i < to; i++) {
      const value = base + roundHalfEven((quantity * close[i]! * multiplier) / 100);
      equity[i] = value;
      if (value > peak || value < floor) {
        this.#look(value);
        peak = this.#peak;
        floor = this.#floor;
      }
    }
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
