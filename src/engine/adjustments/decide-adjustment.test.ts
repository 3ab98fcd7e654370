import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ExecutionId, OrderId, Symbol } from '#units/identifiers.ts';
import { toMicro, ZERO_MICRO } from '#units/money.ts';
import { type Quantity, quantity, toQuantity } from '#units/quantity.ts';
import { DEPLOYMENT_STATUSES } from '../lifecycle/status.ts';
import { netUnits } from '../market/adjustment.ts';
import { adjustOrder } from './adjust-order.ts';
import { type AdjustmentFacts, decideAdjustment } from './decide-adjustment.ts';
import { judgeDifference } from './judge-difference.ts';

const AAA = 'AAA' as Symbol;
const ORDER = 'order' as OrderId;
const trade = (units: number) => ({
  units: toQuantity(units),
  price: 10,
  commission: ZERO_MICRO,
  ratio: 1,
});
const FACTS: AdjustmentFacts = {
  symbol: AAA,
  isInCatalogue: true,
  status: 'active',
  mayBeShort: false,
  isEndOfDayProcessed: true,
  held: toQuantity(10),
  openOrders: [],
  undone: null,
  booked: trade(-4),
  isOfExternalTrade: false,
};
const anyUnits = fc.integer({ min: -50, max: 50 }).map((units) => toQuantity(units));
const anyFacts: fc.Arbitrary<AdjustmentFacts> = fc.record({
  symbol: fc.constant(AAA),
  isInCatalogue: fc.boolean(),
  status: fc.constantFrom(...DEPLOYMENT_STATUSES),
  mayBeShort: fc.option(fc.boolean()),
  isEndOfDayProcessed: fc.boolean(),
  held: anyUnits,
  openOrders: fc.array(
    fc.record({
      id: fc.constantFrom(ORDER, 'other' as OrderId),
      symbol: fc.constantFrom(AAA, 'BBB' as Symbol),
      purpose: fc.constantFrom('rebalance', 'stop_loss', 'protective'),
      isIntended: fc.boolean(),
    }),
    { maxLength: 3 },
  ),
  undone: fc.option(
    fc.oneof(
      fc.constant({ missing: 'x' as ExecutionId }),
      fc.record({
        orderId: fc.constant(ORDER),
        units: anyUnits,
        price: fc.constant(10),
        commission: fc.constant(ZERO_MICRO),
        profit: fc.constant(toMicro(1)),
        ratio: fc.constantFrom(1, 2, 0.5),
      }),
    ),
  ),
  booked: fc.option(
    fc.record({
      units: anyUnits,
      price: fc.constant(10),
      commission: fc.constant(ZERO_MICRO),
      ratio: fc.constantFrom(1, 2),
    }),
  ),
  isOfExternalTrade: fc.boolean(),
});

describe('an adjustment', () => {
  test('never takes a long-only deployment further below zero', () => {
    fc.assert(
      fc.property(anyFacts, (facts) => {
        const decision = decideAdjustment({ ...facts, mayBeShort: false });
        fc.pre(decision.outcome === 'book');
        const after = facts.held + netUnits(decision.adjustment);
        expect(after).toBeGreaterThanOrEqual(Math.min(0, facts.held));
      }),
    );
  });

  test('is booked only for a live deployment, an instrument in the catalogue and after the end of day', () => {
    fc.assert(
      fc.property(anyFacts, (facts) => {
        const decision = decideAdjustment(facts);
        fc.pre(decision.outcome === 'book');
        expect(facts).toMatchObject({ isInCatalogue: true, isEndOfDayProcessed: true });
        expect(['pending', 'stopped', 'liquidated']).not.toContain(facts.status);
      }),
    );
  });

  test('that a person makes closes what is held, and never turns a position round', () => {
    fc.assert(
      fc.property(anyFacts, (facts) => {
        const decision = decideAdjustment({ ...facts, undone: null, isOfExternalTrade: true });
        fc.pre(decision.outcome === 'book');
        const after = facts.held + netUnits(decision.adjustment);
        expect(Math.abs(after)).toBeLessThan(Math.abs(facts.held));
        expect(after === 0 || Math.sign(after) === Math.sign(facts.held)).toBe(true);
      }),
    );
  });

  test('that waits does so for an order at the broker, the end of day or the version, and is booked once they are there', () => {
    fc.assert(
      fc.property(anyFacts, (facts) => {
        fc.pre(decideAdjustment(facts).outcome === 'wait');
        const ready = { ...facts, openOrders: [], isEndOfDayProcessed: true, mayBeShort: true };
        expect(decideAdjustment(ready).outcome).not.toBe('wait');
      }),
    );
  });

  test('waits for a sent order of its instrument, except the order it reverses and a protective stop', () => {
    const order = { id: ORDER, symbol: AAA, purpose: 'rebalance', isIntended: false } as const;
    const outcome = (one: object, facts: object = {}) =>
      decideAdjustment({ ...FACTS, ...facts, openOrders: [{ ...order, ...one }] }).outcome;
    expect(outcome({})).toBe('wait');
    expect(outcome({ isIntended: true })).toBe('book');
    expect(outcome({ purpose: 'protective' })).toBe('book');
    expect(outcome({ symbol: 'BBB' as Symbol })).toBe('book');
    const undone = { ...trade(4), orderId: ORDER, profit: ZERO_MICRO };
    expect(outcome({}, { undone, booked: null })).toBe('book');
  });

  test('is void for good when it names what does not exist', () => {
    const reason = (facts: Partial<AdjustmentFacts>) => {
      const decision = decideAdjustment({ ...FACTS, ...facts });
      return decision.outcome === 'void' ? decision.reason.code : decision.outcome;
    };
    expect(reason({ isInCatalogue: false })).toBe('not_in_catalogue');
    expect(reason({ status: 'stopped' })).toBe('deployment_ended');
    expect(reason({ undone: { missing: 'x' as ExecutionId } })).toBe('execution_not_booked');
    expect(reason({ isOfExternalTrade: true, booked: trade(-11) })).toBe('not_held');
    expect(reason({ booked: trade(-11) })).toBe('short_not_allowed');
  });
});

describe('the order of a reversed execution', () => {
  const anyOrder = fc.record({
    side: fc.constantFrom('buy', 'sell'),
    quantity: fc.integer({ min: 1, max: 50 }).map((units) => toQuantity(units)),
    isFilled: fc.boolean(),
  });

  test('is never filled beyond its quantity, and is filled exactly when all of it is booked', () => {
    fc.assert(
      fc.property(anyOrder, fc.nat(50), anyUnits, (one, part, books) => {
        const filled = quantity(Math.min(one.quantity, toQuantity(part)));
        const undone = (one.side === 'buy' ? filled : -filled) as Quantity;
        const after = adjustOrder({ ...one, filled }, { undone, books, ratio: 1 });
        expect(after.filled).toBeLessThanOrEqual(one.quantity);
        expect(after.filled).toBeGreaterThanOrEqual(0);
        expect(after.filled).toBe(filled + after.filledChange);
        if (after.filledChange !== 0) expect(after.becomes === 'filled').toBe(after.filled === one.quantity);
      }),
    );
  });
});

describe('a difference', () => {
  const written = {
    kind: 'unexplained',
    external: toQuantity(0),
    units: toQuantity(-3),
    tradedAt: null,
  } as const;
  const account = {
    broker: toQuantity(7),
    ours: toQuantity(10),
    external: toQuantity(0),
    externalPosition: null,
    isProcessed: true,
  };

  test('that no trade explains stays the same while the gap between broker and books does, however much is traded meanwhile', () => {
    fc.assert(
      fc.property(anyUnits, anyUnits, (bought, others) => {
        const now = {
          ...account,
          broker: quantity(account.broker + bought + others),
          ours: quantity(account.ours + bought),
          external: others,
        };
        expect(judgeDifference(written, now, written.units)).toBe('unchanged');
        const more = { ...now, broker: quantity(now.broker + 1) };
        expect(judgeDifference(written, more, written.units)).toBe('waits');
      }),
    );
  });

  test('from an external trade has changed once less of it is left than is given up, and waits after a later trade', () => {
    const externalPosition = { units: toQuantity(-3), at: null };
    const now = { ...account, external: toQuantity(-3), externalPosition };
    const sold = { ...written, kind: 'external_trade', external: toQuantity(-3) } as const;
    expect(judgeDifference(sold, now, toQuantity(-3))).toBe('unchanged');
    expect(judgeDifference(sold, now, toQuantity(-4))).toBe('changed');
    expect(judgeDifference({ ...sold, external: toQuantity(-2) }, now, toQuantity(-3))).toBe('waits');
  });

  test('is not judged on unknown facts', () => {
    expect(judgeDifference(written, null, written.units)).toBe('waits');
    expect(judgeDifference(written, { ...account, isProcessed: false }, written.units)).toBe('waits');
    expect(judgeDifference(null, account, written.units)).toBe('waits');
  });
});
