// The fills of a vectorized backtest, kept as numbers, turned into fills and round trips only on request.
import { type Instant, instant } from '#units/instant.ts';
import { type Micro, micro } from '#units/money.ts';
import { quantity } from '#units/quantity.ts';
import { roundHalfEven } from '#units/round.ts';
import { type ClosedTrade, TradeBook } from '../../portfolio/closed-trades.ts';
import { dollarsPerQuote } from '../../portfolio/quote-rate.ts';
import type { BacktestFill, BacktestResult } from '../result.ts';
import type { Slots } from './slots.ts';

export class FillLog {
  count = 0;
  /** How many round trips have closed. */
  closed = 0;
  readonly #slots: Slots;
  /** Fills and splits in their order, in rows of this many columns. */
  #lines = new Float64Array(FEW * WIDTH);
  #length = 0;
  /** Dividends and swaps since the last fill, by instrument: they are part of what its open round trip earned. */
  #credits = new Float64Array(FEW);
  /** The row and the amount of each of them. */
  readonly #income: number[] = [];
  /** What the open round trips hold, by instrument. */
  #open = new Float64Array(FEW);
  #fills: BacktestFill[] | null = null;
  #trades: readonly ClosedTrade[] | null = null;

  constructor(slots: Slots) {
    this.#slots = slots;
  }

  /** `profit`: what the fill realised in dollars, before commission. */
  add(row: number, s: number, traded: number, price: number, commission: number, profit: number): void {
    const held = this.#openOf(s);
    const at = this.#addLine(row, s, traded);
    const lines = this.#lines;
    lines[at + 3] = price;
    lines[at + 4] = commission;
    lines[at + 5] = profit;
    lines[at + 6] = this.#credits[s]!;
    this.#credits[s] = 0;
    this.count++;
    const after = held + traded;
    if (held > 0 ? traded < 0 && after <= 0 : held < 0 && traded > 0 && after >= 0) this.closed++;
    this.#open[s] = after;
    if (after !== 0) this.#requireRate(s, price);
  }

  /** New units for old. */
  split(s: number, ratio: number): void {
    this.#open[s] = roundHalfEven(this.#openOf(s) * ratio);
    this.#addLine(SPLIT, s, ratio);
  }

  /** A dividend or a swap. */
  credit(row: number, s: number, amount: number): void {
    this.#openOf(s);
    this.#credits[s]! += amount;
    this.#income.push(row, amount);
  }

  income(): BacktestResult['income'] {
    const paid: BacktestResult['income'][number][] = [];
    for (let i = 0; i < this.#income.length; i += 2)
      paid.push({ at: this.#instantOf(this.#income[i]!), amount: micro(this.#income[i + 1]!) });
    return paid;
  }

  fills(): readonly BacktestFill[] {
    if (this.#fills !== null) return this.#fills;
    const fills: BacktestFill[] = [];
    for (let at = 0; at < this.#length; at += WIDTH) if (this.#lines[at]! >= 0) fills.push(this.#fillAt(at));
    this.#fills = fills;
    return fills;
  }

  trades(): readonly ClosedTrade[] {
    this.#trades ??= this.#roundTrips();
    return this.#trades;
  }

  #addLine(row: number, s: number, amount: number): number {
    const at = this.#length;
    if (at === this.#lines.length) this.#lines = wider(this.#lines, at * 2);
    this.#length += WIDTH;
    this.#lines[at] = row;
    this.#lines[at + 1] = s;
    this.#lines[at + 2] = amount;
    return at;
  }

  #openOf(s: number): number {
    if (s >= this.#open.length) {
      this.#open = wider(this.#open, this.#slots.count * 2);
      this.#credits = wider(this.#credits, this.#slots.count * 2);
    }
    return this.#open[s]!;
  }

  /** Throws RangeError where a round trip cannot be expressed in dollars. */
  #requireRate(s: number, price: number): void {
    const { isDollar, instrument } = this.#slots.traded(s);
    if (!isDollar) dollarsPerQuote(instrument, price, NO_MARKS);
  }

  #roundTrips(): readonly ClosedTrade[] {
    const book = new TradeBook();
    const fills = this.fills();
    let next = 0;
    for (let at = 0; at < this.#length; at += WIDTH) {
      const { symbol, instrument } = this.#slots.traded(this.#lines[at + 1]!);
      if (this.#lines[at] === SPLIT) book.split(symbol, this.#lines[at + 2]!);
      else {
        const credit = this.#lines[at + 6]!;
        if (credit !== 0) book.credit(symbol, micro(credit));
        book.take(fills[next++]!, micro(this.#lines[at + 5]!), instrument);
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
      at: this.#instantOf(lines[at]!),
    };
  }

  #instantOf(row: number): Instant {
    return instant(this.#slots.timeline[row]!);
  }
}

function wider(from: Float64Array, length: number): Float64Array<ArrayBuffer> {
  const to = new Float64Array(length);
  to.set(from);
  return to;
}

/** Row, instrument, traded (or the ratio of a split), price, commission, profit, credits since the fill before. */
const WIDTH = 7;
/** In the place of a row. */
const SPLIT = -1;
const NO_MARKS: ReadonlyMap<never, number> = new Map<never, number>();

/** Instruments; more are made room for. */
const FEW = 8;
