// Round trips read off the fills: a trade opens when a position leaves zero and closes when it is zero again; a fill
// that passes through zero closes one and opens the next.
import type { Symbol } from '#units/identifiers.ts';
import { type Instant, instant } from '#units/instant.ts';
import { fromMicro, type Micro, micro } from '#units/money.ts';
import { fromQuantity, type Quantity, quantity } from '#units/quantity.ts';
import { roundHalfEven } from '#units/round.ts';
import type { Instrument } from '../market/instrument.ts';
import type { Fill } from '../order/order.ts';
import { dollarsPerQuote } from './quote-rate.ts';

export type ClosedTrade = {
  readonly symbol: Symbol;
  readonly side: 'long' | 'short';
  readonly entryAt: Instant;
  readonly exitAt: Instant;
  /** Average prices over all fills of the way in and of the way out. */
  readonly entryPrice: number;
  readonly exitPrice: number;
  /** All that was entered, positive. */
  readonly quantity: Quantity;
  /** Net of every commission, in dollars. */
  readonly pnl: Micro;
  /** pnl in percent of what was entered for. */
  readonly returnPercent: number;
};

type OpenTrade = {
  readonly side: 'long' | 'short';
  readonly entryAt: Instant;
  held: number;
  entered: number;
  left: number;
  /** Quantity × price sums, in the quote currency and natural units. */
  entryWorth: number;
  exitWorth: number;
  entryDollars: number;
  pnl: number;
};

type Execution = Omit<Fill, 'clientOrderId'>;

export class TradeBook {
  readonly closed: ClosedTrade[] = [];
  readonly #open = new Map<Symbol, OpenTrade>();

  /** Takes a fill and the profit that booking it realised (before commission, in dollars). */
  take(fill: Execution, realizedPnl: Micro, instrument: Instrument): void {
    const direction = fill.side === 'buy' ? 1 : -1;
    const trade = this.#open.get(fill.symbol);
    const held = trade?.held ?? 0;
    const closes = Math.sign(held) === -direction ? Math.min(Math.abs(held), fill.quantity) : 0;
    const opens = fill.quantity - closes;
    const closingCommission = roundHalfEven((fill.commission * closes) / fill.quantity);
    if (trade !== undefined && closes > 0) {
      trade.held += direction * closes;
      trade.left += closes;
      trade.exitWorth += fromQuantity(closes as Quantity) * fill.price;
      trade.pnl += realizedPnl - closingCommission;
      if (trade.held === 0) this.#close(fill, trade);
    }
    if (opens > 0)
      this.#enter(fill, direction * opens, { commission: fill.commission - closingCommission, instrument });
  }

  /** New units for old: the trade stays the same trade. */
  split(symbol: Symbol, ratio: number): void {
    const trade = this.#open.get(symbol);
    if (trade === undefined) return;
    trade.held = roundHalfEven(trade.held * ratio);
    trade.entered = roundHalfEven(trade.entered * ratio);
    trade.left = roundHalfEven(trade.left * ratio);
  }

  /** A dividend or a swap: part of what the trade earned. */
  credit(symbol: Symbol, amount: Micro): void {
    const trade = this.#open.get(symbol);
    if (trade !== undefined) trade.pnl += amount;
  }

  #enter(
    fill: Execution,
    traded: number,
    how: { readonly commission: number; readonly instrument: Instrument },
  ): void {
    const trade: OpenTrade = this.#open.get(fill.symbol) ?? {
      side: traded > 0 ? 'long' : 'short',
      entryAt: fill.at,
      held: 0,
      entered: 0,
      left: 0,
      entryWorth: 0,
      exitWorth: 0,
      entryDollars: 0,
      pnl: 0,
    };
    const worth = fromQuantity(Math.abs(traded) as Quantity) * fill.price;
    const rate = dollarsPerQuote(how.instrument, fill.price, NO_MARKS);
    trade.held += traded;
    trade.entered += Math.abs(traded);
    trade.entryWorth += worth;
    trade.entryDollars += worth * how.instrument.multiplier * rate;
    trade.pnl -= how.commission;
    this.#open.set(fill.symbol, trade);
  }

  #close(fill: Execution, trade: OpenTrade): void {
    const pnl = micro(trade.pnl);
    this.closed.push({
      symbol: fill.symbol,
      side: trade.side,
      entryAt: trade.entryAt,
      exitAt: instant(fill.at),
      entryPrice: trade.entryWorth / fromQuantity(trade.entered as Quantity),
      exitPrice: trade.exitWorth / fromQuantity(trade.left as Quantity),
      quantity: quantity(trade.entered),
      pnl,
      returnPercent: (fromMicro(pnl) / trade.entryDollars) * 100,
    });
    this.#open.delete(fill.symbol);
  }
}

const NO_MARKS = new Map<Symbol, number>();
