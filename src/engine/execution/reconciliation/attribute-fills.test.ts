import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ClientOrderId, ExecutionId, OrderId, Symbol } from '#units/identifiers.ts';
import { toQuantity } from '#units/quantity.ts';
import { AAA, openOrder } from '#tests/support/engine/open-order.ts';
import {
  attributeUnnamed,
  belongsElsewhere,
  fillDoubt,
  isCertainFill,
  isSuperseded,
  judgeRevision,
  type OtherOrder,
} from './attribute-fills.ts';
import type { FillReport } from './order-report.ts';

function fill(asked: Partial<FillReport> & { units?: number } = {}): FillReport {
  const { units = 4, ...given } = asked;
  return {
    executionId: 'E1' as ExecutionId,
    brokerOrderId: 'B1',
    symbol: AAA,
    brokerInstrumentId: '77',
    side: 'sell',
    quantity: toQuantity(units),
    price: 100,
    ...given,
  };
}

const OTHER: OtherOrder = {
  clientOrderId: 'BW9' as ClientOrderId,
  brokerOrderId: 'B1',
  status: 'working',
  symbol: AAA,
  side: 'sell',
};

describe('an execution in an account with several connections', () => {
  it('belongs to the connection of its client order id, and to no other', () => {
    expect(belongsElsewhere(fill(), OTHER.clientOrderId, [OTHER])).toBe(true);
    expect(belongsElsewhere(fill(), 'BW1' as ClientOrderId, [OTHER])).toBe(false);
  });

  it('without that id belongs to the connection of the broker’s order id', () => {
    expect(belongsElsewhere(fill(), null, [OTHER])).toBe(true);
    expect(belongsElsewhere(fill({ brokerOrderId: 'B2' }), null, [OTHER])).toBe(false);
  });

  it('without either id may belong to an order in flight', () => {
    const lost = { ...OTHER, brokerOrderId: null, status: 'unknown' } as const;
    expect(belongsElsewhere(fill({ brokerOrderId: 'B2' }), null, [lost])).toBe(true);
    expect(belongsElsewhere(fill({ side: 'buy' }), null, [lost])).toBe(false);
    const known = { clientOrderId: null, unconfirmed: [openOrder()], revision: { type: 'book' } } as const;
    expect(attributeUnnamed(fill(), known)).toEqual({ type: 'hold', hold: { code: 'order_unconfirmed' } });
    const named = { ...known, clientOrderId: 'BW1' as ClientOrderId };
    expect(attributeUnnamed(fill(), named)).toEqual({ type: 'book' });
    expect(attributeUnnamed(fill({ symbol: 'BBB' as Symbol }), known)).toEqual({ type: 'book' });
  });
});

describe('an execution of an order', () => {
  it('is held when its instrument or side differs, or when it would overfill the order', () => {
    expect(fillDoubt(fill(), openOrder())).toBeNull();
    expect(fillDoubt(fill({ side: 'buy' }), openOrder())).toEqual({
      code: 'order_differs',
      execution: { side: 'buy', symbol: AAA },
      order: { side: 'sell', symbol: AAA },
    });
    expect(fillDoubt(fill({ symbol: null }), openOrder())).toMatchObject({ execution: { symbol: '77' } });
    for (const price of [0, -1.25])
      expect(fillDoubt(fill({ price }), openOrder())).toEqual({ code: 'price_not_positive', price });
    expect(fillDoubt(fill({ units: 7 }), openOrder({ filled: toQuantity(4) }))).toEqual({ code: 'overfill' });
    expect(fillDoubt(fill({ units: 6 }), openOrder({ filled: toQuantity(4) }))).toBeNull();
  });
});

describe('revisions of one execution', () => {
  const id = (revision: number) => `E.0${revision}` as ExecutionId;
  const revised = (revision: number, units = 4) =>
    fill({ executionId: id(revision), revisionStem: 'E.', units });

  it('a later one waits for a person once another is booked', () => {
    expect(judgeRevision(revised(2), [id(1)])).toEqual({
      type: 'hold',
      hold: { code: 'revises_booked', booked: id(1), takesBack: false },
    });
    expect(judgeRevision(revised(2, 0), [id(1)])).toMatchObject({ hold: { takesBack: true } });
  });

  it('an earlier one is dropped, and so is one that takes back what was never booked', () => {
    expect(judgeRevision(revised(1), [id(2)])).toEqual({ type: 'drop' });
    expect(judgeRevision(revised(2, 0), [])).toEqual({ type: 'drop' });
    expect(judgeRevision(fill(), [id(1)])).toEqual({ type: 'book' });
  });

  it('in any order of arrival, at most one is booked and it is never replaced', () => {
    const revisions = fc.uniqueArray(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(revisions, (order) => {
        const booked: ExecutionId[] = [];
        for (const revision of order)
          if (judgeRevision(revised(revision), booked).type === 'book') booked.push(id(revision));
        expect(booked).toEqual([id(order[0]!)]);
      }),
    );
  });

  it('that arrive together count as the last one', () => {
    const ids = [id(1), id(3), id(2)];
    expect(ids.filter((_, index) => !isSuperseded(revised([1, 3, 2][index]!), ids))).toEqual([id(3)]);
  });
});

describe('an execution of the stream', () => {
  const working = openOrder({ id: '1' as OrderId, status: 'working', brokerOrderId: 'B1' });
  const streamed = (asked: Parameters<typeof fill>[0] = {}, clientOrderId: string | null = 'BW1') => ({
    ...fill(asked),
    clientOrderId: clientOrderId as ClientOrderId | null,
  });

  it('is a fill of the order that it names, as long as that one can be at the broker', () => {
    expect(isCertainFill(streamed(), working)).toBe(true);
    expect(
      isCertainFill(streamed({ units: 10 }), { ...working, brokerOrderId: null, status: 'sending' }),
    ).toBe(true);
    for (const status of ['intended', 'filled', 'cancelled', 'withdrawn'] as const)
      expect(isCertainFill(streamed(), { ...working, status })).toBe(false);
  });

  it('waits for the lists when it names no order, another one, or one under another id of the broker', () => {
    expect(isCertainFill(streamed({}, null), working)).toBe(false);
    expect(isCertainFill(streamed({}, 'BW2'), working)).toBe(false);
    expect(isCertainFill(streamed({ brokerOrderId: 'B2' }), working)).toBe(false);
  });

  it('waits for the lists when anything about it does not fit, and never fills an order beyond its quantity', () => {
    expect(isCertainFill(streamed({ side: 'buy' }), working)).toBe(false);
    expect(isCertainFill(streamed({ symbol: null }), working)).toBe(false);
    expect(isCertainFill(streamed({ price: 0 }), working)).toBe(false);
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 20 }), fc.integer({ min: 0, max: 10 }), (units, filled) => {
        const order = { ...working, filled: toQuantity(filled) };
        expect(isCertainFill(streamed({ units }), order)).toBe(units > 0 && filled + units <= 10);
      }),
    );
  });
});
