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
  /** Average prices over all entry fills and all exit fills. */
  readonly entryPrice: number;
  readonly exitPrice: number;
  /** The total quantity entered, positive. */
  readonly quantity: Quantity;
  /** Net of every commission, in dollars. */
  readonly pnl: Micro;
  /** pnl in percent of the entry value. */
  readonly returnPercent: number;
};

/** The trade of one instrument; it is open from its first fill until the position is zero again. */
export class OpenTrade {
  isOpen = false;
  side: 'long' | 'short' = 'long';
  entryAt: Instant = instant(0);
  held = 0;
  entered = 0;
  left = 0;
  /** Quantity × price sums, in the quote currency and natural units. */
  entryWorth = 0;
  exitWorth = 0;
  entryDollars = 0;
  /** Of the result: what every commission took of it, and what dividends and swaps added to it. */
  commission = 0;
  income = 0;
  pnl = 0;

  begin({ side, at }: TradeExecution): void {
    this.isOpen = true;
    this.side = side === 'buy' ? 'long' : 'short';
    this.entryAt = at;
    this.held = 0;
    this.entered = 0;
    this.left = 0;
    this.entryWorth = 0;
    this.exitWorth = 0;
    this.entryDollars = 0;
    this.commission = 0;
    this.income = 0;
    this.pnl = 0;
  }
}

export type TradeExecution = Omit<Fill, 'clientOrderId'>;

export class TradeBook {
  readonly closed: ClosedTrade[] = [];
  readonly #trades = new Map<Symbol, OpenTrade>();
  readonly #onClose: (trade: Readonly<OpenTrade>, closed: ClosedTrade) => void;

  /** `onClose` sees each trade as it closes. */
  constructor(onClose: (trade: Readonly<OpenTrade>, closed: ClosedTrade) => void = () => undefined) {
    this.#onClose = onClose;
  }

  /** The trade of the instrument that has not closed yet. */
  open(symbol: Symbol): Readonly<OpenTrade> | undefined {
    const trade = this.#trades.get(symbol);
    return trade?.isOpen === true ? trade : undefined;
  }

  /** Takes a fill and the profit that booking it realised (before commission, in dollars). */
  take(fill: TradeExecution, realizedPnl: Micro, instrument: Instrument): void {
    let trade = this.#trades.get(fill.symbol);
    if (trade === undefined) this.#trades.set(fill.symbol, (trade = new OpenTrade()));
    const direction = fill.side === 'buy' ? 1 : -1;
    const held = trade.isOpen ? trade.held : 0;
    const closes = Math.sign(held) === -direction ? Math.min(Math.abs(held), fill.quantity) : 0;
    const opens = fill.quantity - closes;
    const closingCommission = closes === 0 ? 0 : roundHalfEven((fill.commission * closes) / fill.quantity);
    if (closes > 0) {
      trade.held += direction * closes;
      trade.left += closes;
      trade.exitWorth += fromQuantity(closes as Quantity) * fill.price;
      trade.pnl += realizedPnl - closingCommission;
      trade.commission += closingCommission;
      if (trade.held === 0) this.#close(fill, trade);
    }
    if (opens === 0) return;
    if (!trade.isOpen) trade.begin(fill);
    const worth = fromQuantity(opens as Quantity) * fill.price;
    trade.held += direction * opens;
    trade.entered += opens;
    trade.entryWorth += worth;
    trade.entryDollars += worth * instrument.multiplier * dollarsPerQuote(instrument, fill.price, NO_MARKS);
    trade.pnl -= fill.commission - closingCommission;
    trade.commission += fill.commission - closingCommission;
  }

  /** New units for old: the trade stays the same trade. `after`: what is held then, where part of it was traded since. */
  split(symbol: Symbol, ratio: number, after?: number): void {
    const trade = this.#trades.get(symbol);
    if (!trade?.isOpen) return;
    if (after !== undefined && after !== roundHalfEven(trade.held * ratio)) {
      trade.held = after;
      trade.left = roundHalfEven(trade.left * ratio);
      trade.entered = trade.left + Math.abs(after);
      return;
    }
    trade.held = roundHalfEven(trade.held * ratio);
    trade.entered = roundHalfEven(trade.entered * ratio);
    trade.left = roundHalfEven(trade.left * ratio);
  }

  /** A dividend or a swap: part of what the trade earned. */
  credit(symbol: Symbol, amount: Micro): void {
    const trade = this.#trades.get(symbol);
    if (!trade?.isOpen) return;
    trade.pnl += amount;
    trade.income += amount;
  }

  #close(fill: TradeExecution, trade: OpenTrade): void {
    const pnl = micro(trade.pnl);
    trade.isOpen = false;
    const closed = {
      symbol: fill.symbol,
      side: trade.side,
      entryAt: trade.entryAt,
      exitAt: instant(fill.at),
      entryPrice: trade.entryWorth / fromQuantity(trade.entered as Quantity),
      exitPrice: trade.exitWorth / fromQuantity(trade.left as Quantity),
      quantity: quantity(trade.entered),
      pnl,
      returnPercent: (fromMicro(pnl) / trade.entryDollars) * 100,
    };
    this.closed.push(closed);
    this.#onClose(trade, closed);
  }
}

const NO_MARKS = new Map<Symbol, number>();
