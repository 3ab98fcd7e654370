import { describe, expect, it } from 'vitest';
import { nextSession } from '#engine/market/calendar.ts';
import type { Symbol } from '#units/identifiers.ts';
import { DAY_MS, HOUR_MS, type Instant, instant, MINUTE_MS, parseInstant, utcDate } from '#units/instant.ts';
import { quantity, toQuantity } from '#units/quantity.ts';
import { simulatedMarket } from '../../market/simulated-market.ts';
import { openAccountBook } from '../accounts/account-book.ts';
import { listContracts } from '../market-data/contract-list.ts';
import { openDatabase } from '../database.ts';
import { createMatching } from './matching.ts';
import { type NewOrder, openOrderBook } from './order-book.ts';

const start = parseInstant('2026-01-16T22:00:00Z'); // Friday evening before a long weekend
const prices = simulatedMarket(7);
const contracts = listContracts(prices.instruments);
const share = contracts.all.find(({ instrument }) => instrument.kind === 'equity')?.instrument
  .symbol as Symbol;
const coin = contracts.all.find(({ instrument }) => instrument.kind === 'crypto')?.instrument
  .symbol as Symbol;

function openBooks() {
  const database = openDatabase(':memory:');
  database
    .prepare('INSERT INTO accounts (account_id, title, cash_micro) VALUES (?, ?, ?)')
    .run('DU1', 'Test', 1_000_000_000_000);
  const accounts = openAccountBook(database, contracts, prices);
  const orders = openOrderBook(database, () => 0);
  const matching = createMatching({ database, contracts, prices, accounts, orders });
  matching.standAt(start);
  const enter = (order: Partial<NewOrder>) =>
    orders.add({
      accountId: 'DU1',
      clientOrderId: null,
      symbol: share,
      side: 'BUY',
      orderType: 'LMT',
      price: 1_000_000,
      timeInForce: 'GTC',
      quantity: toQuantity(1),
      submittedAt: start,
      expiresAt: null,
      sessionId: null,
      ...order,
    });
  return { database, accounts, orders, matching, enter };
}

const last = (symbol: Symbol, at: Instant) => prices.quote(symbol, at)?.last ?? 0;

describe('matching', () => {
  it("fills at the opening print after a holiday weekend, at the auction's one price", () => {
    const { orders, matching, enter } = openBooks();
    enter({ side: 'BUY' });
    enter({ side: 'SELL', price: 0.01 });
    matching.runUntil(instant(start + 10 * DAY_MS));
    const opensAt = parseInstant('2026-01-20T14:30:00Z');
    const filled = orders.executions('DU1', start);
    expect(filled.map(({ at, price }) => [at, price])).toEqual([
      [opensAt, last(share, opensAt)],
      [opensAt, last(share, opensAt)],
    ]);
  });

  it('never fills beyond the limit, and a day order ends with its session', () => {
    const { orders, matching, enter } = openBooks();
    const { closesAt } = nextSession('us-equity', start);
    const order = enter({ price: 0.01, timeInForce: 'DAY', expiresAt: closesAt });
    matching.runUntil(instant(start + 10 * DAY_MS));
    expect(orders.executions('DU1', start)).toEqual([]);
    expect(orders.find(order?.orderId ?? 0)).toMatchObject({ status: 'Cancelled', changedAt: closesAt });
  });

  it('fills an order that is large against the day’s volume in parts, a quarter of an hour apart', () => {
    const { orders, matching, enter } = openBooks();
    const { opensAt, closesAt } = nextSession('us-equity', start);
    const from = utcDate(instant(start - 7 * DAY_MS));
    const bars = prices.dailyBars(share, { from, to: utcDate(start), asOf: start });
    const offered = Math.floor((bars.at(-1)?.volume ?? 0) * 0.02);
    enter({ quantity: toQuantity(2 * offered + 1) });
    matching.runUntil(closesAt);
    const fills = orders
      .executions('DU1', start)
      .map(({ quantity: part, at }) => [part, (at - opensAt) / MINUTE_MS]);
    expect(fills).toEqual([
      [toQuantity(offered), 0],
      [toQuantity(offered), 15],
      [toQuantity(1), 30],
    ]);
  });

  it('triggers a stop only once the price has passed it', () => {
    const { orders, matching, enter } = openBooks();
    const level = last(coin, start);
    const stop = level * 0.97;
    enter({ symbol: coin, side: 'SELL', orderType: 'STP', price: stop, quantity: quantity(10_000) });
    matching.runUntil(instant(start + 120 * DAY_MS));
    const [filled] = orders.executions('DU1', start);
    expect(filled).toBeDefined();
    expect(last(coin, filled?.at ?? start)).toBeLessThanOrEqual(stop);
    const quarterBefore = instant((filled?.at ?? start) - HOUR_MS / 4);
    expect(last(coin, quarterBefore)).toBeGreaterThan(stop);
  });

  it('gives the same fills and the same books whether the clock jumps or crawls', () => {
    const strides: readonly ((at: number) => number)[] = [
      (at) => Math.floor((at / 7) % (3 * HOUR_MS)) + 1,
      () => 7 * MINUTE_MS,
      () => 5 * HOUR_MS,
      () => 30 * DAY_MS,
    ];
    const outcomes = strides.map((stride) => {
      const { database, orders, matching, enter } = openBooks();
      for (let index = 0; index < 12; index++) {
        const symbol = index % 2 === 0 ? share : coin;
        const side = index % 3 === 0 ? 'SELL' : 'BUY';
        const price = last(symbol, start) * (1 + (side === 'BUY' ? -1 : 1) * 0.01 * index);
        enter({ symbol, side, price, quantity: symbol === share ? toQuantity(3) : quantity(10_000) });
      }
      const end = start + 30 * DAY_MS;
      for (let at: number = start; at < end; at += stride(at)) matching.runUntil(instant(at));
      matching.runUntil(instant(end));
      const fills = orders.executions('DU1', start).map(({ executionId, price, at, commission }) => ({
        executionId,
        price,
        at,
        commission,
      }));
      const positions = database.prepare('SELECT * FROM positions ORDER BY symbol').all();
      return { fills, positions, cash: database.prepare('SELECT cash_micro FROM accounts').get() };
    });
    expect(outcomes[0]?.fills.length).toBeGreaterThan(3);
    for (const outcome of outcomes) expect(outcome).toEqual(outcomes[0]);
  });
});
