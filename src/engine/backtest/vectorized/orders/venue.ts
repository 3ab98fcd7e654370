// Where the orders of a vectorized backtest meet bars: the simulated venue, what a fill books, and what it releases.
import { quotedPrice } from '../../../order/limit-price.ts';
import type { Account } from '../account.ts';
import { commissionOf } from './claims.ts';
import type { FillLog } from '../fill-log.ts';
import type { Guard } from '../guard.ts';
import type { OrderQueue } from './order-queue.ts';
import type { Rebalancer } from './rebalancer.ts';
import type { Slot } from '../slot.ts';

export class Venue {
  readonly #account: Account;
  readonly #orders: OrderQueue;
  readonly #fills: FillLog;
  readonly #rebalancer: Rebalancer;
  readonly #guard: Guard;

  constructor(
    account: Account,
    {
      orders,
      fills,
      rebalancer,
      guard,
    }: {
      readonly orders: OrderQueue;
      readonly fills: FillLog;
      readonly rebalancer: Rebalancer;
      readonly guard: Guard;
    },
  ) {
    this.#account = account;
    this.#orders = orders;
    this.#fills = fills;
    this.#rebalancer = rebalancer;
    this.#guard = guard;
  }

  /** The bars of a row open: orders of what trades in it fill or expire. */
  open(row: number): void {
    if (this.#orders.isEmpty) return;
    const orders = this.#orders;
    while (orders.take()) {
      const { s, traded, limitPrice } = orders;
      const slot = this.#account.slots.traded(s);
      if (!slot.tradesIn(row)) orders.keep();
      else this.#finish(s, traded, priceWithin(slot, traded > 0, limitPrice, slot.barAt(row)), row);
    }
  }

  /** Every order meets the newest prices. */
  meetMarks(row: number): void {
    const orders = this.#orders;
    while (orders.take()) {
      const { s, traded, limitPrice } = orders;
      const slot = this.#account.slots.traded(s);
      this.#finish(s, traded, priceAgainst(slot, traded > 0, limitPrice, this.#account.of(s)), row);
    }
  }

  /** Every order fills at a price. */
  fillAt(price: number, row: number): void {
    while (this.#orders.take()) this.#finish(this.#orders.s, this.#orders.traded, price, row);
  }

  /** An order was withdrawn. */
  end(s: number, traded: number, row: number): void {
    this.#finish(s, traded, UNFILLED, row);
  }

  /** Books an execution. */
  fill(s: number, traded: number, price: number, row: number): void {
    const slot = this.#account.slots.traded(s);
    const rate = this.#account.slots.rate(slot, price, this.#account);
    const commission = commissionOf(slot, Math.abs(traded), price, rate);
    const profit = this.#account.book(s, traded, price, commission);
    this.#fills.add(row, s, traded, price, commission, profit);
  }

  #finish(s: number, traded: number, price: number, row: number): void {
    const releases = this.#rebalancer.releases(s, traded);
    if (price !== UNFILLED) this.fill(s, traded, price, row);
    if (!releases || !this.#rebalancer.canResume) return;
    const { hasRest } = this.#rebalancer;
    if (hasRest || this.#guard.watchesEquity) this.#guard.revalue(row);
    if (hasRest) this.#rebalancer.resume();
  }
}

/** In place of a price: the order ends without a fill. */
const UNFILLED = -1;

/** As the simulated venue fills a day order within one bar. */
function priceWithin(slot: Slot, isBuy: boolean, limit: number, bar: number): number {
  const atOpen = priceAgainst(slot, isBuy, limit, slot.bars.open[bar]!);
  if (atOpen !== UNFILLED) return atOpen;
  return (isBuy ? slot.bars.low[bar]! <= limit : slot.bars.high[bar]! >= limit) ? limit : UNFILLED;
}

/** As the simulated venue fills against a market price: not beyond the limit. */
function priceAgainst({ costs, instrument }: Slot, isBuy: boolean, limit: number, market: number): number {
  const { slippageRate } = costs;
  if (isBuy) {
    if (market > limit) return UNFILLED;
    return Math.min(limit, quotedPrice(market * (1 + slippageRate), instrument));
  }
  if (market < limit) return UNFILLED;
  return Math.max(limit, quotedPrice(market * (1 - slippageRate), instrument));
}
