import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { BrokerAccountId, ClientOrderId, Symbol } from '#units/identifiers.ts';
import {
  DAY_MS,
  HOUR_MS,
  instant,
  type Instant,
  type IsoDate,
  MINUTE_MS,
  parseInstant,
} from '#units/instant.ts';
import { notional, toMicro } from '#units/money.ts';
import { quantity, toQuantity } from '#units/quantity.ts';
import { equityInstrument } from '#tests/support/engine/random-market.ts';
import { NO_EXCEPTIONS } from '../market/calendar-exceptions.ts';
import { session } from '../market/calendar.ts';
import { TRADING_COSTS } from '../market/costs.ts';
import { openPortfolio } from '../portfolio/apply-fill.ts';
import { valuePortfolio } from '../portfolio/value.ts';
import type { PracticeTicket } from './enter-order.ts';
import { type EndedSession, isCovered, look, lookAndEnter, type PracticeMarket } from './look.ts';
import type { PracticeAccount } from './practice-account.ts';

const SPY = 'SPY' as Symbol;
const INSTRUMENT = equityInstrument(SPY);
const OPENS = parseInstant('2026-01-12T14:30:00Z');
const CLOSES = parseInstant('2026-01-12T21:00:00Z');

function account(lookedAt: Instant = OPENS, cash = 100_000): PracticeAccount {
  const accountId = 'PRACTICE-1' as BrokerAccountId;
  return { accountId, portfolio: openPortfolio(toMicro(cash)), working: [], lookedAt };
}

function market(now: number, price: number | null, more: Partial<PracticeMarket> = {}): PracticeMarket {
  const quote = price === null ? [] : [[SPY, { last: price, bid: price - 0.01, ask: price + 0.01 }] as const];
  return {
    now: instant(now),
    covers: new Set([SPY]),
    quotes: new Map(quote),
    onOffer: new Map(),
    instruments: new Map([[SPY, INSTRUMENT]]),
    marks: new Map([[SPY, price ?? 100]]),
    exceptions: NO_EXCEPTIONS,
    ended: [],
    ...more,
  };
}

function ticket(id: string, more: Partial<PracticeTicket> = {}): PracticeTicket {
  const clientOrderId = id as ClientOrderId;
  return {
    clientOrderId,
    symbol: SPY,
    side: 'buy',
    quantity: toQuantity(10),
    limitPrice: 101,
    stopPrice: null,
    ...more,
  };
}

const ENDED: EndedSession = {
  ...session('us-equity', '2026-01-12' as EndedSession['date'])!,
  calendar: 'us-equity',
  openOf: () => 100,
  eventsOf: () => [],
};

describe('a look of a practice account', () => {
  it('fills at the worse of the quote and the backtest, with its commission, to the cent in cash', () => {
    const { change, entered } = lookAndEnter(account(), ticket('a'), market(OPENS + MINUTE_MS, 100));
    expect(entered.outcome).toBe('entered');
    const [execution] = change.executions;
    expect(execution?.price).toBe(100.05);
    expect(execution?.commission).toBe(toMicro(1_000.5 * TRADING_COSTS.equity.commissionRate));
    const paid = notional(execution!.quantity, execution!.price);
    expect(change.account.portfolio.cash).toBe(toMicro(100_000) - paid - execution!.commission);
    expect(change.orders.at(-1)?.status).toBe('filled');
  });

  it('never fills beyond the limit, and ends the order with its day', () => {
    const { change } = lookAndEnter(account(), ticket('a', { limitPrice: 100.04 }), market(OPENS + 1, 100));
    expect(change.executions).toEqual([]);
    const later = look(change.account, market(CLOSES, 99, { ended: [ENDED] }));
    expect(later.executions).toEqual([]);
    expect(later.orders.map(({ status }) => status)).toEqual(['expired']);
    expect(later.account.working).toEqual([]);
  });

  it('fills what waited for an opening that nobody looked at, at the opening price and not after its limit', () => {
    const before = account(instant(OPENS - HOUR_MS));
    const { change } = lookAndEnter(before, ticket('a'), market(OPENS - HOUR_MS + 1, null));
    const missed = look(change.account, market(CLOSES + HOUR_MS, null, { ended: [ENDED] }));
    expect(missed.executions.map(({ price, at }) => [price, at])).toEqual([[100.05, OPENS]]);
    const dear = { ...ENDED, openOf: () => 101 };
    const skipped = look(change.account, market(CLOSES + HOUR_MS, null, { ended: [dear] }));
    expect([skipped.executions.length, skipped.orders[0]?.status]).toEqual([0, 'expired']);
  });

  it('waits while a close is missing: nothing after it happens, and it happens once the close is known', () => {
    const { change } = lookAndEnter(account(), ticket('a'), market(OPENS + 1, 100));
    const unknown = { ...ENDED, eventsOf: () => null };
    const waiting = look(change.account, market(CLOSES + 1, 90, { ended: [unknown] }));
    expect(waiting.account.lookedAt).toBe(change.account.lookedAt);
    const dividend = { type: 'dividend', symbol: SPY, perUnit: 0.5, markAfter: 99.5 } as const;
    const known = { ...ENDED, eventsOf: () => [dividend] };
    const after = look(waiting.account, market(CLOSES + 2, null, { ended: [known] }));
    expect(after.account.portfolio.cash - change.account.portfolio.cash).toBe(toMicro(5));
    expect(look(after.account, market(CLOSES + 3, null, { ended: [known] })).account.portfolio.cash).toBe(
      after.account.portfolio.cash,
    );
  });

  it('waits for an opening price that may still come, and lets an order of a day without one end with its day', () => {
    const before = account(instant(OPENS - HOUR_MS));
    const { change } = lookAndEnter(before, ticket('a'), market(OPENS - HOUR_MS + 1, null));
    const awaited = { ...ENDED, openOf: () => 'awaited' as const };
    const waiting = look(change.account, market(CLOSES + HOUR_MS, 100, { ended: [awaited] }));
    expect([waiting.orders, waiting.executions]).toEqual([[], []]);
    const traded = look(waiting.account, market(CLOSES + HOUR_MS, null, { ended: [ENDED] }));
    expect(traded.executions.map(({ price, at }) => [price, at])).toEqual([[100.05, OPENS]]);
    const halted = { ...ENDED, openOf: () => null };
    const ended = look(waiting.account, market(CLOSES + HOUR_MS, null, { ended: [halted] }));
    expect(ended.orders.map(({ status }) => status)).toEqual(['expired']);
  });

  it('fills nothing in a currency whose rate is missing, and everything else', () => {
    const pound = { ...INSTRUMENT, currency: 'GBP', settlement: 'margin' } as const;
    const world = market(OPENS + 1, 100, { instruments: new Map([[SPY, pound]]) });
    const marks = new Map([
      [SPY, 100],
      ['GBPUSD' as Symbol, 1.25],
    ]);
    const { account: ordered } = lookAndEnter(account(), ticket('a', { limitPrice: 100 }), {
      ...world,
      marks,
    }).change;
    const fallen = market(OPENS + 2, 99, { instruments: new Map([[SPY, pound]]) });
    expect(look(ordered, fallen).executions).toEqual([]);
    expect(look(ordered, { ...fallen, marks: marks.set(SPY, 99) }).executions).toHaveLength(1);
  });

  it('counts what works already: a second sale of the same shares is a short one, and needs its margin', () => {
    const held = lookAndEnter(account(OPENS, 1_100), ticket('a'), market(OPENS + 1, 100)).change.account;
    const sale = (id: string) => ticket(id, { side: 'sell', limitPrice: 150 });
    const once = lookAndEnter(held, sale('b'), market(OPENS + 2, 100));
    expect(once.entered.outcome).toBe('entered');
    const twice = lookAndEnter(once.change.account, sale('c'), market(OPENS + 3, 100));
    expect(twice.entered.outcome === 'rejected' && twice.entered.why.code).toBe('buying_power');
  });

  it('is not as of now where the market was not read for all that the account holds', () => {
    const held = lookAndEnter(account(), ticket('a'), market(OPENS + 1, 100)).change.account;
    expect(isCovered(held, market(OPENS + 2, 100))).toBe(true);
    expect(isCovered(held, market(OPENS + 2, 100, { covers: new Set() }))).toBe(false);
  });

  it('triggers a stop at its price only, and fills it at the market', () => {
    const held = lookAndEnter(account(), ticket('a'), market(OPENS + 1, 100)).change.account;
    const stop = ticket('s', { side: 'sell', stopPrice: 98 });
    const placed = lookAndEnter(held, stop, market(OPENS + 2, 100)).change;
    expect(placed.executions).toEqual([]);
    const fallen = look(placed.account, market(OPENS + 3, 97));
    expect(fallen.executions.map(({ price }) => price)).toEqual([96.95]);
    expect(fallen.account.portfolio.positions.size).toBe(0);
  });

  it('refuses what the account cannot carry, with both amounts, and changes nothing', () => {
    const big = ticket('a', { quantity: toQuantity(5_000) });
    const { entered, change } = lookAndEnter(account(), big, market(OPENS + 1, 100));
    expect(entered.outcome === 'rejected' && entered.why).toMatchObject({
      code: 'buying_power',
      available: toMicro(100_000),
    });
    expect([change.orders, change.executions]).toEqual([[], []]);
  });

  it('fills at most what is on offer, and the rest a quarter of an hour later', () => {
    const onOffer = new Map([[SPY, quantity(400_000_000)]]);
    const { change } = lookAndEnter(account(), ticket('a'), market(OPENS + 1, 100, { onOffer }));
    expect(change.executions.map((one) => one.quantity)).toEqual([toQuantity(4)]);
    expect(look(change.account, market(OPENS + 2, 100, { onOffer })).executions).toEqual([]);
    const rest = look(change.account, market(OPENS + 1 + 15 * MINUTE_MS, 100, { onOffer }));
    expect(rest.executions.map(({ executionId }) => executionId)).toEqual(['practice-a.800000000']);
  });

  it('takes an order for the session that the vendor holds, not for one that it has closed or left out', () => {
    const date = '2026-01-12' as IsoDate;
    const ours = session('us-equity', date)!;
    const endsAt = (at: number, theirs: typeof ours | null) => {
      const exceptions = new Map([['us-equity', new Map([[date, { ours, theirs }]])] as const]);
      const { entered } = lookAndEnter(account(), ticket('a'), market(at, null, { exceptions }));
      return entered.outcome === 'entered' ? entered.order.expiresAt : entered.why;
    };
    const early = { ...ours, closesAt: instant(CLOSES - 180 * MINUTE_MS) };
    const tuesday = instant(CLOSES + DAY_MS);
    expect(endsAt(OPENS + 1, ours)).toBe(CLOSES);
    expect(endsAt(OPENS + 1, early)).toBe(early.closesAt);
    expect(endsAt(early.closesAt, early)).toBe(tuesday);
    expect(endsAt(OPENS + 1, null)).toBe(tuesday);
  });

  it('keeps cash, positions and executions in step, whatever is ordered and however often it is looked at', () => {
    const steps = fc.array(
      fc.record({
        side: fc.constantFrom('buy' as const, 'sell' as const),
        units: fc.integer({ min: 1, max: 60 }),
        price: fc.integer({ min: 9_000, max: 11_000 }),
        looksTwice: fc.boolean(),
      }),
      { maxLength: 25 },
    );
    fc.assert(
      fc.property(steps, (orders) => {
        let now: PracticeAccount = account();
        let cash: number = now.portfolio.cash;
        let held = 0;
        for (const [index, { side, units, price, looksTwice }] of orders.entries()) {
          const world = market(OPENS + 1 + index, price / 100);
          const limitPrice = side === 'buy' ? price / 50 : price / 200;
          const order = ticket(`o${index}`, { side, quantity: toQuantity(units), limitPrice });
          const { change } = lookAndEnter(now, order, world);
          for (const { side: of, quantity: filled, price: at, commission } of change.executions) {
            const signed = quantity(of === 'buy' ? filled : -filled);
            cash -= notional(signed, at) + commission;
            held += signed;
          }
          now = change.account;
          if (looksTwice) expect(look(now, world)).toEqual({ account: now, orders: [], executions: [] });
        }
        expect(now.portfolio.cash).toBe(cash);
        expect(now.portfolio.positions.get(SPY)?.quantity ?? 0).toBe(held);
        const value = valuePortfolio(now.portfolio, new Map([[SPY, 100]]), new Map([[SPY, INSTRUMENT]]));
        expect(value.equity).toBe(toMicro(100_000) + now.portfolio.realized + value.unrealized);
      }),
    );
  });
});
