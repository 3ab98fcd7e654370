// Where the orders of a vectorized backtest meet bars: the simulated venue, what a fill books, and what it releases.
import { quotedPrice } from '../../order/limit-price.ts';
import type { Account } from './account.ts';
import { commissionOf, type WorkingOrder } from './claims.ts';
import type { FillLog } from './fill-log.ts';
import type { Guard } from './guard.ts';
import type { OrderQueue } from './order-queue.ts';
import type { Rebalancer } from './rebalancer.ts';
import type { Slot } from './slot.ts';

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
    for (let order = this.#orders.take(); order !== null; order = this.#orders.take()) {
      const slot = this.#account.slots.traded(order.s);
      if (!slot.tradesIn(row)) this.#orders.keep(order);
      else this.#finish(order, priceWithin(order, slot, slot.barAt(row)), row);
    }
  }

  /** Every order meets the newest prices. */
  meetMarks(row: number): void {
    for (let order = this.#orders.take(); order !== null; order = this.#orders.take()) {
      const slot = this.#account.slots.traded(order.s);
      this.#finish(order, priceAgainst(order, slot, this.#account.of(order.s)), row);
    }
  }

  /** Every order fills at a price. */
  fillAt(price: number, row: number): void {
    for (let order = this.#orders.take(); order !== null; order = this.#orders.take()) {
      this.#finish(order, price, row);
    }
  }

  /** An order was withdrawn. */
  end(order: WorkingOrder, row: number): void {
    this.#finish(order, UNFILLED, row);
  }

  /** Books an execution. */
  fill(s: number, traded: number, price: number, row: number): void {
    const slot = this.#account.slots.traded(s);
    const rate = this.#account.slots.rate(slot, price, this.#account);
    const commission = commissionOf(slot, Math.abs(traded), price, rate);
    const profit = this.#account.book(s, traded, price, commission);
    this.#fills.add(row, s, traded, price, commission, profit);
  }

  #finish(order: WorkingOrder, price: number, row: number): void {
    const releases = this.#rebalancer.releases(order);
    if (price !== UNFILLED) this.fill(order.s, order.traded, price, row);
    if (!releases || !this.#rebalancer.canResume) return;
    const { hasRest } = this.#rebalancer;
    if (hasRest || this.#guard.watchesEquity) this.#guard.revalue(row);
    if (hasRest) this.#rebalancer.resume();
  }
}

/** In the place of a price: the order ends without a fill. */
const UNFILLED = -1;

/** As the simulated venue fills a day order within one bar. */
function priceWithin(order: WorkingOrder, slot: Slot, bar: number): number {
  const { traded, limitPrice } = order;
  const atOpen = priceAgainst(order, slot, slot.bars.open[bar]!);
  if (atOpen !== UNFILLED) return atOpen;
  const isReached = traded > 0 ? slot.bars.low[bar]! <= limitPrice : slot.bars.high[bar]! >= limitPrice;
  return isReached ? limitPrice : UNFILLED;
}

/** As the simulated venue fills against a market price: not beyond the limit. */
function priceAgainst({ traded, limitPrice }: WorkingOrder, slot: Slot, market: number): number {
  const { slippageRate } = slot.costs;
  if (traded > 0) {
    if (market > limitPrice) return UNFILLED;
    return Math.min(limitPrice, quotedPrice(market * (1 + slippageRate), slot.instrument));
  }
  if (market < limitPrice) return UNFILLED;
  return Math.max(limitPrice, quotedPrice(market * (1 - slippageRate), slot.instrument));
}
