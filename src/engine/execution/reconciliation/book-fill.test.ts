import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { BrokerAccountId, ExecutionId, OrderId, Symbol } from '#units/identifiers.ts';
import { toMicro } from '#units/money.ts';
import { toQuantity } from '#units/quantity.ts';
import {
  MARKET,
  orderRecord,
  snapshotOf,
  tradingDeployment,
} from '#tests/support/engine/deployment-snapshot.ts';
import { AAA, MONDAY } from '#tests/support/engine/open-order.ts';
import { bookFill, overtakenIntent } from './book-fill.ts';
import type { OrderRecord } from '../orders/order-record.ts';

const HOLDER = tradingDeployment({ units: { AAA: 10, BBB: 4 } });

type Reported = { readonly units?: number; readonly price?: number; readonly commission?: number | null };

function book(order: OrderRecord, { units = 10, price = 90, commission = 1 }: Reported = {}) {
  const execution = {
    executionId: 'E1' as ExecutionId,
    brokerOrderId: 'B1',
    symbol: AAA,
    brokerInstrumentId: '1',
    side: order.decided.side,
    quantity: toQuantity(units),
    price,
    commission: commission === null ? null : toMicro(commission),
    at: MONDAY,
  };
  const instrument = MARKET.instruments.get(AAA)!;
  const facts = { execution, accountId: 'DU1' as BrokerAccountId, order, instrument, splitRatio: 1 };
  return bookFill(snapshotOf(HOLDER, [order]), facts, MARKET);
}

const SALE = orderRecord({ status: 'working', brokerOrderId: 'B1' });

it('moves ledger and books by the same money, and the ledger sums to zero', () => {
  const fills = fc.record({
    units: fc.integer({ min: 1, max: 10 }),
    price: fc.integer({ min: 1, max: 500 }),
    commission: fc.integer({ min: 0, max: 9 }),
    side: fc.constantFrom('buy' as const, 'sell' as const),
  });
  fc.assert(
    fc.property(fills, ({ side, ...fill }) => {
      const { transition, realized } = book(orderRecord({ status: 'working', side }), fill);
      const [posting] = transition.postings;
      expect(posting!.entries.reduce((sum, { amount }) => sum + amount, 0)).toBe(0);
      const amountOf = (account: string) => posting!.entries.find((one) => one.account === account)!.amount;
      const { before, after } = transition;
      expect(after.cash - before.cash).toBe(amountOf('cash'));
      expect(after.realized - before.realized).toBe(realized - amountOf('commission'));
      expect(amountOf('commission')).toBe(toMicro(fill.commission));
      const values = [...after.holdings.values()].reduce((sum, one) => sum + one.currentValue, 0);
      expect(after.equity).toBe(after.cash + values);
    }),
  );
});

describe('its order', () => {
  it('is filled when nothing of it is left, and only then', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 9 }), fc.integer({ min: 1, max: 10 }), (done, units) => {
        if (done + units > 10) return;
        const { transition } = book({ ...SALE, filled: toQuantity(done) }, { units });
        const { update } = transition.orderUpdates[0]!;
        expect(update.filled).toBe(toQuantity(done + units));
        expect(update.status).toBe(done + units === 10 ? 'filled' : 'working');
        expect(update.endedAt === undefined).toBe(done + units < 10);
      }),
    );
  });

  it.each([
    ['intended', 'working'],
    ['sending', 'working'],
    ['unknown', 'working'],
    ['withdrawn', 'working'],
    ['cancelled', 'cancelled'],
    ['expired', 'expired'],
  ] as const)('that is %s is %s after a part', (status, next) => {
    expect(book({ ...SALE, status }, { units: 4 }).transition.orderUpdates[0]!.update.status).toBe(next);
  });
});

it('reports the trade, and a profit only for what it closed', () => {
  const [sold] = book(SALE).transition.notices;
  expect(sold).toMatchObject({
    cause: 'fill:DU1:E1',
    facts: { kind: 'order_filled', side: 'sell', profit: toMicro(-100), isProtective: false },
  });
  const [bought] = book(orderRecord({ status: 'working', side: 'buy' })).transition.notices;
  expect(bought).toMatchObject({ facts: { profit: null } });
});

it('keeps what a stop has sold from being bought back, and withdraws earlier intents', () => {
  const stop = orderRecord({ status: 'working', purpose: 'protective' });
  expect(book(stop).transition.after.stoppedOut.get(AAA)).toBe('long');
  expect(book(SALE).transition.after.stoppedOut.size).toBe(0);
  const other = { id: '2' as OrderId };
  const intent = orderRecord(other);
  expect(overtakenIntent(stop, [stop, intent])).toBe(intent);
  expect(overtakenIntent(stop, [stop, orderRecord({ ...other, status: 'working' })])).toBeUndefined();
  expect(overtakenIntent(stop, [stop, orderRecord({ ...other, symbol: 'BBB' as Symbol })])).toBeUndefined();
});

it('books an unknown commission as the estimate that orders are sized with', () => {
  const { fill, isProvisional, transition } = book(SALE, { commission: null });
  const rate = MARKET.terms.costs.equity.commissionRate;
  expect(fill.commission).toBe(toMicro(900 * rate));
  expect(isProvisional).toBe(true);
  expect(transition.notices[0]).toMatchObject({ facts: { commission: fill.commission } });
  expect(book(SALE).isProvisional).toBe(false);
});
