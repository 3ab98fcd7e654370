// The books of the stand-in for Alpaca: accounts that start with a hundred thousand dollars, orders, fills. Kept while
// the process lives. Fills at each opening that has passed, and at the price of the moment whenever anybody looks.
import { randomUUID } from 'node:crypto';
import { nextSession, sessionAt } from '#engine/market/calendar.ts';
import { parseOption } from '#engine/market/option-contract.ts';
import type { Symbol } from '#units/identifiers.ts';
import { type Instant, instant } from '#units/instant.ts';
import { type Micro, add, micro, notional, subtract } from '#units/money.ts';
import { quantity } from '#units/quantity.ts';
import type { PriceSource } from '../../market/price-source.ts';
import { type CoinFeeTerms, createCoinFees, FIRST_TIER } from './coin-fees.ts';
import { assign, passOptions } from './option-events.ts';
import {
  type Account,
  type AccountFlags,
  type Activity,
  type Fill,
  isOpen,
  type NewOrder,
  type Order,
  type OrderEvent,
} from './order.ts';

export type Books = {
  readonly accounts: readonly Account[];
  readonly orders: readonly Order[];
  readonly fills: readonly Fill[];
  readonly activities: readonly Activity[];
  /** Moves cash for no trade, and lists it. */
  move(activity: Omit<Activity, 'id'>): void;
  /** Contracts that the account has written are assigned before their expiry. */
  assign(account: Account, symbol: Symbol, contracts: number, at: Instant): void;
  /** With paper money, or with what counts as real. */
  open(money?: 'paper' | 'real'): Account;
  /** Null when the account's buying power does not carry it. */
  add(order: NewOrder, at: Instant): Order | null;
  price(symbol: Symbol, at: Instant): number | null;
  buyingPower(account: Account, at: Instant): Micro;
  equity(account: Account, at: Instant): Micro;
  /** Fills and expires everything up to an instant. */
  settle(to: Instant): void;
  cancel(order: Order, at: Instant): void;
  /** Calls for each event of an order; returns the function that ends it. */
  listen(listener: (event: OrderEvent) => void): () => void;
  /** Fills at most this share of the remaining quantity at a time; 1 is all of it, and 0 nothing. */
  fillsAtMost: number;
  readonly coinFeeTerms: CoinFeeTerms;
  /** What the account could sell of an instrument; negative is short. */
  sellable(account: Account, symbol: Symbol): number;
};

export function openBooks(prices: PriceSource): Books {
  const accounts: Account[] = [];
  const orders: Order[] = [];
  const fills: Fill[] = [];
  const activities: Activity[] = [];
  const listeners = new Set<(event: OrderEvent) => void>();
  const coinFeeTerms = { ...FIRST_TIER };
  const coinFees = createCoinFees(activities, coinFeeTerms, stamp);
  const isCoin = (symbol: Symbol) =>
    prices.instruments.find((one) => one.symbol === symbol)?.kind === 'crypto';
  let settledAt: Instant | null = null;
  const tell = (event: OrderEvent) => {
    for (const listener of listeners) listener(event);
  };

  const price = (symbol: Symbol, at: Instant) => prices.quote(symbol, at)?.last ?? null;

  const fill = (order: Order, atPrice: number, at: Instant) => {
    const rest = order.quantity - order.filled;
    const step = order.instrument.quantityStep;
    const part = quantity(
      books.fillsAtMost >= 1
        ? rest
        : Math.min(rest, Math.max(step, Math.floor((rest * books.fillsAtMost) / step) * step)),
    );
    const { account, instrument, side } = order;
    const paid = notional(part, atPrice, instrument.multiplier);
    account.cash = side === 'buy' ? subtract(account.cash, paid) : add(account.cash, paid);
    const signed = side === 'buy' ? part : -part;
    account.held.set(instrument.symbol, quantity((account.held.get(instrument.symbol) ?? 0) + signed));
    order.filled = quantity(order.filled + part);
    const leaves = quantity(order.quantity - order.filled);
    order.status = leaves === 0 ? 'filled' : 'partially_filled';
    const done: Fill = {
      id: `${stamp(at)}::${randomUUID()}`,
      order,
      quantity: part,
      price: atPrice,
      leaves,
      cumulative: order.filled,
      at,
    };
    fills.push(done);
    if (instrument.kind === 'crypto') coinFees.charge(done);
    tell({ event: leaves === 0 ? 'fill' : 'partial_fill', order, fill: done, at });
  };

  const tryFill = (order: Order, at: Instant, isOpening: boolean) => {
    const quote = prices.quote(order.instrument.symbol, at);
    if (!quote?.open || books.fillsAtMost === 0) return;
    order.status = order.status === 'accepted' ? 'new' : order.status;
    const isBuy = order.side === 'buy';
    const raw = isOpening ? quote.last : isBuy ? quote.ask : quote.bid;
    const found = Number(raw.toFixed(order.instrument.priceDecimals));
    const isStopReached =
      order.stop !== null && (isBuy ? quote.last >= order.stop : quote.last <= order.stop);
    if (order.type === 'stop_limit' && isStopReached) order.isTriggered = true;
    if (order.stop !== null && !isStopReached && order.isTriggered !== true) return;
    if (order.limit !== null && (isBuy ? found > order.limit : found < order.limit)) return;
    if (order.notional !== null && order.filled === 0)
      order.quantity = quantity(Math.floor((order.notional / found) * WHOLE));
    fill(order, found, at);
  };

  const advanceOrder = (order: Order, from: Instant, to: Instant) => {
    const { calendar } = order.instrument;
    const start = instant(Math.max(from, order.submittedAt));
    let opening = nextSession(calendar, start).opensAt;
    while (isOpen(order) && opening <= to && (order.endsAt === null || opening < order.endsAt)) {
      tryFill(order, opening, true);
      opening = nextSession(calendar, opening).opensAt;
    }
    if (!isOpen(order)) return;
    if (order.endsAt !== null && order.endsAt <= to) {
      order.status = 'expired';
      tell({ event: 'expired', order, fill: null, at: order.endsAt });
    } else if (sessionAt(calendar, to)) tryFill(order, to, false);
  };

  const books: Books = {
    accounts,
    orders,
    fills,
    activities,
    move(activity) {
      activity.account.cash = add(activity.account.cash, activity.amount);
      activities.push({ ...activity, id: `${stamp(activity.at)}::${randomUUID()}` });
    },
    assign: (account, symbol, contracts, at) =>
      assign(account, { symbol, contracts }, at, { prices, activities, stamp }),
    fillsAtMost: 1,
    coinFeeTerms,
    sellable: (account, symbol) =>
      isCoin(symbol) ? coinFees.sellable(account, symbol) : (account.held.get(symbol) ?? 0),
    price,
    open(money = 'paper') {
      const account = {
        id: randomUUID(),
        number: `${money === 'paper' ? 'PA3' : '303'}${String(accounts.length).padStart(6, '0')}`,
        cash: OPENING_CASH,
        held: new Map(),
        taken: new Map(),
        flags: { ...NEW_ACCOUNT },
      };
      accounts.push(account);
      return account;
    },
    add(wanted, at) {
      const { calendar, symbol, multiplier } = wanted.instrument;
      const held = wanted.account.held.get(symbol) ?? 0;
      const closing = wanted.side === 'sell' ? Math.max(0, held) : Math.max(0, -held);
      const opening = quantity(Math.max(0, wanted.quantity - closing));
      const isWritten = wanted.instrument.kind === 'options' && wanted.side === 'sell';
      const worth = isWritten
        ? 0
        : notional(opening, wanted.limit ?? wanted.stop ?? price(symbol, at) ?? 0, multiplier);
      if (worth > books.buyingPower(wanted.account, at)) return null;
      const current = sessionAt(calendar, at) ?? nextSession(calendar, at);
      const order: Order = {
        ...wanted,
        id: randomUUID(),
        filled: quantity(0),
        status: 'accepted',
        submittedAt: at,
        endsAt: wanted.timeInForce === 'day' ? current.closesAt : null,
      };
      orders.push(order);
      tell({ event: 'new', order, fill: null, at });
      tryFill(order, at, false);
      if (order.timeInForce === 'ioc' && isOpen(order)) books.cancel(order, at);
      return order;
    },
    buyingPower(account, at) {
      let reserved = 0;
      for (const order of orders)
        if (order.account === account && isOpen(order) && order.side === 'buy')
          reserved += notional(
            quantity(order.quantity - order.filled),
            order.limit ?? order.stop ?? price(order.instrument.symbol, at) ?? 0,
            order.instrument.multiplier,
          );
      for (const [symbol, units] of account.held) {
        const option = parseOption(symbol);
        if (option?.right === 'put' && units < 0) reserved += notional(quantity(-units), option.strike, 100);
      }
      return micro(Math.max(0, account.cash - reserved));
    },
    equity(account, at) {
      let worth: number = account.cash;
      for (const [symbol, units] of account.held)
        worth += notional(units, price(symbol, at) ?? 0, parseOption(symbol) === null ? 1 : 100);
      for (const [symbol, coins] of account.taken)
        worth -= notional(quantity(Math.ceil(coins / 10)), price(symbol, at) ?? 0);
      return micro(worth);
    },
    cancel(order, at) {
      order.status = 'canceled';
      tell({ event: 'canceled', order, fill: null, at });
    },
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    settle(to) {
      let from = settledAt ?? to;
      settledAt = to;
      for (let close = closeAfter(from); close <= to; close = closeAfter(from)) {
        for (const order of orders) if (isOpen(order)) advanceOrder(order, from, close);
        passOptions(accounts, close, { prices, activities, stamp });
        from = close;
      }
      for (const order of orders) if (isOpen(order)) advanceOrder(order, from, to);
      coinFees.post(to);
    },
  };
  return books;
}

/** The next close of the American exchanges. */
function closeAfter(at: Instant): Instant {
  const current = sessionAt('us-equity', at);
  return current !== null && current.closesAt > at ? current.closesAt : nextSession('us-equity', at).closesAt;
}

/** 20190524113406977: the vendor's activity ids begin with their time. */
function stamp(at: Instant): string {
  return new Date(at).toISOString().replace(/\D/g, '');
}

const WHOLE = 100_000_000;
const OPENING_CASH = micro(100_000_000_000);
const NEW_ACCOUNT: AccountFlags = {
  status: 'ACTIVE',
  cryptoStatus: 'ACTIVE',
  transfersBlocked: false,
  dayTradingBuyingPower: 400_000,
  optionsApprovedLevel: 2,
  optionsTradingLevel: 2,
  tradingBlocked: false,
  accountBlocked: false,
  tradeSuspendedByUser: false,
  patternDayTrader: false,
  liquidationOnly: false,
  shortingEnabled: true,
  isOutOfDayTrades: false,
};
