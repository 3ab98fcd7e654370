// Fills working orders as the sandbox clock passes: at each session's opening print, then on a fixed grid of instants
// within the session, so that the result does not depend on how often a client polls or how far the clock jumps.
import type { DatabaseSync } from 'node:sqlite';
import { nextSession, sessionAt } from '#engine/market/calendar.ts';
import type { CalendarId, Instrument } from '#engine/market/instrument.ts';
import { addDays, type Instant, instant, MINUTE_MS, utcDate } from '#units/instant.ts';
import { type Micro, micro, notional, scale } from '#units/money.ts';
import { type Quantity, quantity, toQuantity } from '#units/quantity.ts';
import type { PriceSource, Quote } from '../../market/price-source.ts';
import type { AccountBook } from '../accounts/account-book.ts';
import type { ContractList } from '../market-data/contract-list.ts';
import { atomically } from '../database.ts';
import type { FaultPlan } from '../faults/fault-plan.ts';
import type { Order, OrderBook } from './order-book.ts';

export type Matching = {
  /** Processes everything between where it was and `to`, in order. */
  runUntil(to: Instant): void;
  /** Tries one order at once, against the price of the moment. Call inside a transaction. */
  tryNow(order: Order, at: Instant): void;
  /** Fills the remaining quantity of an order at the current price and ignores its limit. Call inside a transaction. */
  fillNow(order: Order, at: Instant): void;
  /** Records that matching has reached `at`; for the first order after a quiet time. Call inside a transaction. */
  standAt(at: Instant): void;
};

export function createMatching(input: {
  readonly database: DatabaseSync;
  readonly contracts: ContractList;
  readonly prices: PriceSource;
  readonly accounts: AccountBook;
  readonly orders: OrderBook;
  readonly faults?: FaultPlan;
}): Matching {
  const { database, contracts, prices, accounts, orders, faults } = input;
  const savedProgress = database.prepare('SELECT matched_until FROM progress');
  const saveProgress = database.prepare(
    `INSERT INTO progress (only_row, matched_until) VALUES (1, ?)
     ON CONFLICT (only_row) DO UPDATE SET matched_until = max(matched_until, excluded.matched_until)`,
  );
  const calendarOf = (symbol: string) => contracts.bySymbol(symbol).instrument.calendar;

  const tryFill = (order: Order, at: Instant, isOpening: boolean) => {
    const { instrument } = contracts.bySymbol(order.symbol);
    const quote = prices.quote(instrument.symbol, at);
    if (!quote?.open) return;
    const price = fillPrice(order, quote, isOpening, instrument.priceDecimals);
    if (price === null) return;
    let share = 1;
    let charged = 1;
    for (const fault of faults?.faultsOn('fill', at, order.accountId) ?? []) {
      if (fault.kind === 'partial_fill') share = Math.min(share, fault.share);
      if (fault.kind === 'commission') charged = fault.factor;
    }
    const step = instrument.quantityStep;
    const left = quantity(order.quantity - order.filled);
    const rest = Math.min(left, onOffer(instrument, at, notional(left, price, instrument.multiplier)));
    const part = quantity(share === 1 ? rest : Math.floor((rest * share) / step) * step);
    book(order, { part, price, charged }, at);
  };

  /** What trades at one instant: a share of the last day's volume. Small orders are not held up by it. */
  const onOffer = (instrument: Instrument, at: Instant, worth: Micro): number => {
    if (worth < ALWAYS_FILLS) return Number.POSITIVE_INFINITY;
    const to = utcDate(at);
    const last = prices.dailyBars(instrument.symbol, { from: addDays(to, -7), to, asOf: at }).at(-1);
    if (!last || last.volume <= 0) return Number.POSITIVE_INFINITY;
    const one = toQuantity(1) / instrument.quantityStep;
    return Math.max(1, Math.floor(last.volume * VOLUME_SHARE * one)) * instrument.quantityStep;
  };

  /** `charged` is the share of the tariff. */
  const book = (
    order: Order,
    { part, price, charged }: { readonly part: Quantity; readonly price: number; readonly charged: number },
    at: Instant,
  ) => {
    if (part <= 0) return;
    const { instrument } = contracts.bySymbol(order.symbol);
    const commission = scale(accounts.commission(instrument, { quantity: part, price }, at), charged);
    orders.fill(order, { quantity: part, price, commission, at });
    const signed = quantity(order.side === 'BUY' ? part : -part);
    accounts.apply(order.accountId, instrument, { quantity: signed, price, commission, at });
  };

  const processInstant = (at: Instant, working: readonly Order[]) => {
    for (const order of working) {
      if (order.cancelAt !== null && order.cancelAt <= at) {
        orders.end(order, order.cancelAt, '');
        continue;
      }
      if (order.expiresAt !== null && order.expiresAt <= at) {
        orders.end(order, order.expiresAt, 'The order expired unfilled at the end of its session.');
        continue;
      }
      if (order.submittedAt >= at) continue;
      const current = sessionAt(calendarOf(order.symbol), at);
      if (!current || (at - current.opensAt) % GRID_MS !== 0) continue;
      tryFill(order, at, at === current.opensAt);
    }
  };

  /** A bounded interval, so that a jump over months is neither one endless transaction nor one transaction per instant. */
  const runSome = (to: Instant): 'more' | 'done' => {
    for (let step = 0; step < INSTANTS_PER_TRANSACTION; step++) {
      const calendars = new Set(Array.from(orders.working.symbols(), calendarOf));
      if (calendars.size === 0) return 'done';
      const from = instant(Number(savedProgress.get()?.matched_until ?? to));
      const at = earlier(nextInstant(calendars, from), nextCancellation(orders.working.cancelling()));
      if (at > to) return 'done';
      processInstant(at, orders.working.all());
      saveProgress.run(at);
    }
    return 'more';
  };

  return {
    runUntil(to) {
      while (atomically(database, () => runSome(to)) === 'more');
    },
    tryNow: (order, at) => tryFill(order, at, false),
    fillNow(order, at) {
      const { instrument } = contracts.bySymbol(order.symbol);
      const quote = prices.quote(instrument.symbol, at);
      if (!quote) return;
      const price = Number(quote.last.toFixed(instrument.priceDecimals));
      book(order, { part: quantity(order.quantity - order.filled), price, charged: 1 }, at);
    },
    standAt: (at) => void saveProgress.run(at),
  };
}

/** The first instant after `from` at which something can happen: an opening, a grid point, a close. */
function nextInstant(calendars: ReadonlySet<CalendarId>, from: Instant): Instant {
  let earliest = Number.POSITIVE_INFINITY;
  for (const calendar of calendars) {
    const current = sessionAt(calendar, from);
    const next = current
      ? Math.min(
          current.opensAt + (Math.floor((from - current.opensAt) / GRID_MS) + 1) * GRID_MS,
          current.closesAt,
        )
      : nextSession(calendar, from).opensAt;
    earliest = Math.min(earliest, next);
  }
  return instant(earliest);
}

function nextCancellation(working: Iterable<Order>): Instant | null {
  let earliest: Instant | null = null;
  for (const { cancelAt } of working)
    if (cancelAt !== null && (earliest === null || cancelAt < earliest)) earliest = cancelAt;
  return earliest;
}

function earlier(one: Instant, other: Instant | null): Instant {
  return other !== null && other < one ? other : one;
}

/** Null when the order does not trade at this quote. The opening is one print for both sides; later one pays the spread. */
function fillPrice(order: Order, quote: Quote, isOpening: boolean, decimals: number): number | null {
  const isBuy = order.side === 'BUY';
  const raw = isOpening ? quote.last : isBuy ? quote.ask : quote.bid;
  const price = Number(raw.toFixed(decimals));
  // A stop is a market order once its price has traded.
  const isTriggered = order.orderType === 'STP' && order.filled > 0;
  if (order.orderType === 'MKT' || order.price === null || isTriggered) return price;
  if (order.orderType === 'LMT') return (isBuy ? price <= order.price : price >= order.price) ? price : null;
  return (isBuy ? quote.last >= order.price : quote.last <= order.price) ? price : null;
}

/** A fill every quarter of an hour at this share takes half a day's volume in a session at most. */
const VOLUME_SHARE = 0.02;
const ALWAYS_FILLS = micro(100_000_000_000);
const GRID_MS = 15 * MINUTE_MS;
const INSTANTS_PER_TRANSACTION = 200;
