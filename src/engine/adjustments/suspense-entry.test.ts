import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { BrokerAccountId, ExecutionId, OrderId, Symbol } from '#units/identifiers.ts';
import { toMicro } from '#units/money.ts';
import { toQuantity } from '#units/quantity.ts';
import { AAA, MONDAY, openOrder } from '../../../tests/support/engine/open-order.ts';
import type { Adjustment } from '../market/adjustment.ts';
import { correctedIntents, updateAdjustedOrder } from './adjust-position.ts';
import {
  adjustmentEntries,
  externalTradeEntry,
  type KeptExecution,
  revisionEntries,
} from './suspense-entry.ts';

const proposal = { id: 'A1', accountId: 'DU1' as BrokerAccountId, symbol: AAA, price: 90 };
const trade = { units: toQuantity(10), price: 95, commission: toMicro(1) };
const signed = ({ side, quantity }: { readonly side: string; readonly quantity: number }) =>
  side === 'buy' ? quantity : -quantity;

it('records exactly what was traded externally, under the execution that reported it', () => {
  fc.assert(
    fc.property(fc.integer({ min: -50, max: 50 }), fc.boolean(), (count, isReported) => {
      const units = toQuantity(count);
      const execution = isReported ? ('E1' as ExecutionId) : null;
      const entry = externalTradeEntry({ ...proposal, units }, { execution, at: MONDAY, mark: 100 });
      expect(signed(entry)).toBe(units);
      expect([entry.kind, entry.executionId]).toEqual(
        isReported ? ['external_trade', 'E1'] : ['difference', 'A1'],
      );
    }),
  );
  const unpriced = { ...proposal, units: toQuantity(1), price: null };
  const reported = { execution: null, at: MONDAY, mark: undefined };
  expect(externalTradeEntry(unpriced, reported).price).toBe(0);
  expect(externalTradeEntry(unpriced, { ...reported, mark: 100 }).price).toBe(100);
});

it('records the units, the money and the commission by which a revision differs from what an ended deployment keeps', () => {
  const execution = fc.record({
    side: fc.constantFrom('buy', 'sell'),
    quantity: fc.nat({ max: 50 }).map(toQuantity),
    price: fc.integer({ min: 1, max: 500 }),
    commission: fc.integer({ min: -3, max: 3 }).map(toMicro),
    at: fc.constant(MONDAY),
  });
  const costOf = (one: Pick<KeptExecution, 'side' | 'quantity' | 'price'>) => signed(one) * one.price;
  const paid = ({ commission }: { readonly commission?: number | null }) => commission ?? 0;
  fc.assert(
    fc.property(execution, execution, (first, revised) => {
      const [theirs, reversed] = revisionEntries(proposal, 'E1.02' as ExecutionId, { first, revised });
      expect(theirs).toMatchObject({ kind: 'external_trade', executionId: 'E1.02' });
      expect(reversed).toMatchObject({ kind: 'reversed', executionId: 'A1' });
      expect(signed(theirs!) + signed(reversed!)).toBe(signed(revised) - signed(first));
      expect(costOf(theirs!) + costOf(reversed!)).toBe(costOf(revised) - costOf(first));
      expect(paid(theirs!) + paid(reversed!)).toBe(paid(revised) - paid(first));
    }),
  );
});

it('releases the other side of what a deployment gave up, and records a shortfall at the price of the purchase', () => {
  const units = toQuantity(-4);
  const booked: Adjustment = {
    type: 'adjustment',
    symbol: AAA,
    undoes: { ...trade, profit: toMicro(0) },
    books: null,
    shortfall: toQuantity(3),
  };
  const entries = (isOfExternalTrade: boolean, adjustment = booked) =>
    adjustmentEntries({ ...proposal, units }, adjustment, { isOfExternalTrade, at: MONDAY });
  expect(entries(false)).toMatchObject([{ kind: 'shortfall', side: 'sell', price: 95 }]);
  const [, released] = entries(true);
  expect(signed(released!)).toBe(-units);
  const { shortfall: _, ...whole } = booked;
  expect(entries(false, whole)).toEqual([]);
});

it('makes a filled order cancelled when its execution is reversed, and leaves a working one', () => {
  const undone = { units: toQuantity(-10), books: null, ratio: 1 };
  const order = (status: 'filled' | 'working') => openOrder({ status, filled: toQuantity(10) });
  expect(updateAdjustedOrder(order('filled'), undone, MONDAY)).toMatchObject({
    filledChange: toQuantity(-10),
    update: { status: 'cancelled', reason: { code: 'fill_corrected' }, filled: 0 },
  });
  expect(updateAdjustedOrder(order('working'), undone, MONDAY).update).toEqual({
    status: 'working',
    filled: 0,
  });
  const same = { ...undone, books: toQuantity(-10) };
  expect(updateAdjustedOrder(order('filled'), same, MONDAY).update).toBe(null);
});

it('decides unsent intents of the corrected position again, but no stop and no other position', () => {
  const orders = [
    openOrder({ id: '1' as OrderId }),
    openOrder({ id: '2' as OrderId, status: 'working' }),
    openOrder({ id: '3' as OrderId, purpose: 'protective' }),
    openOrder({ id: '4' as OrderId, symbol: 'BBB' as Symbol }),
  ];
  expect(correctedIntents(orders, AAA)).toEqual(['1']);
});
