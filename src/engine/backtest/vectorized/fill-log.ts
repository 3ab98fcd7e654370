// The fills of a vectorized backtest, kept as numbers, made into fills and round trips only when they are asked for.
import { instant } from '#units/instant.ts';
import { type Micro, micro } from '#units/money.ts';
import { quantity } from '#units/quantity.ts';
import { roundHalfEven } from '#units/round.ts';
import { type ClosedTrade, TradeBook } from '../../portfolio/closed-trades.ts';
import { dollarsPerQuote } from '../../portfolio/quote-rate.ts';
import type { BacktestFill } from '../result.ts';
import type { Slots } from './slots.ts';

export class FillLog {
  count = 0;
  /** How many round trips have closed. */
  closed = 0;
  readonly #slots: Slots;
  /** Fills, splits and credits in their order. */
  readonly #lines: number[] = [];
  /** What the open round trips hold, by instrument. */
  #open = new Float64Array(FEW);
  #fills: BacktestFill[] | null = null;
  #trades: readonly ClosedTrade[] | null = null;

  constructor(slots: Slots) {
    this.#slots = slots;
  }

  /** `profit`: what the fill realised in dollars, before commission. */
  add(row: number, s: number, traded: number, price: number, commission: number, profit: number): void {
    this.#lines.push(row, s, traded, price, commission, profit);
    this.count++;
    const held = this.#openOf(s);
    const after = held + traded;
    if (held > 0 ? traded < 0 && after <= 0 : held < 0 && traded > 0 && after >= 0) this.closed++;
    this.#open[s] = after;
    if (after !== 0) this.#requireRate(s, price);
  }

  /** New units for old. */
  split(s: number, ratio: number): void {
    this.#lines.push(SPLIT, s, ratio, 0, 0, 0);
    this.#open[s] = roundHalfEven(this.#openOf(s) * ratio);
  }

  /** A dividend or a swap. */
  credit(s: number, amount: number): void {
    this.#lines.push(CREDIT, s, amount, 0, 0, 0);
  }

  fills(): readonly BacktestFill[] {
    if (this.#fills !== null) return this.#fills;
    const fills: BacktestFill[] = [];
    for (let at = 0; at < this.#lines.length; at += WIDTH)
      if (this.#lines[at]! >= 0) fills.push(this.#fillAt(at));
    this.#fills = fills;
    return fills;
  }

  trades(): readonly ClosedTrade[] {
    this.#trades ??= this.#roundTrips();
    return this.#trades;
  }

  #openOf(s: number): number {
    if (s >= this.#open.length) {
      const wider = new Float64Array(this.#slots.count * 2);
      wider.set(this.#open);
      this.#open = wider;
    }
    return this.#open[s]!;
  }

  /** Throws RangeError where a round trip could not be told in dollars. */
  #requireRate(s: number, price: number): void {
    const { isDollar, instrument } = this.#slots.traded(s);
    if (!isDollar) dollarsPerQuote(instrument, price, NO_MARKS);
  }

  #roundTrips(): readonly ClosedTrade[] {
    const book = new TradeBook();
    const fills = this.fills();
    let next = 0;
    for (let at = 0; at < this.#lines.length; at += WIDTH) {
      const kind = this.#lines[at]!;
      const slot = this.#slots.traded(this.#lines[at + 1]!);
      if (kind === SPLIT) book.split(slot.symbol, this.#lines[at + 2]!);
      else if (kind === CREDIT) book.credit(slot.symbol, micro(this.#lines[at + 2]!));
      else {
        book.take(fills[next++]!, micro(this.#lines[at + 5]!), slot.instrument);
      }
    }
    return book.closed;
  }

  #fillAt(at: number): BacktestFill {
    const lines = this.#lines;
    const traded = lines[at + 2]!;
    return {
      symbol: this.#slots.traded(lines[at + 1]!).symbol,
      side: traded > 0 ? 'buy' : 'sell',
      quantity: quantity(Math.abs(traded)),
      price: lines[at + 3]!,
      commission: lines[at + 4]! as Micro,
      at: instant(this.#slots.timeline[lines[at]!]!),
    };
  }
}

const WIDTH = 6;
/** In the place of a row. */
const SPLIT = -1;
const CREDIT = -2;
const NO_MARKS: ReadonlyMap<never, number> = new Map<never, number>();

/** Instruments; more are made room for. */
const FEW = 8;
