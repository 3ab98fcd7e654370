import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { ClientOrderId, OrderId } from '#units/identifiers.ts';
import { toQuantity } from '#units/quantity.ts';
import { openOrder } from '#tests/support/engine/open-order.ts';
import { type ClosingOrder, closingAtBroker, closingExcess, type ShownOrder } from './closing-excess.ts';

const stop = (nth: number, fields: Partial<ClosingOrder> & { units?: number } = {}) => ({
  ...openOrder({ id: `${nth}` as OrderId, purpose: 'protective', status: 'working', units: fields.units }),
  ...fields,
});
const shows = (nth: number, units: number, isWorking = true): ShownOrder => ({
  clientOrderId: `BW${nth}` as ClientOrderId,
  isWorking,
  quantity: toQuantity(units),
  filled: toQuantity(0),
});
const held = (units: number) => ({ net: toQuantity(units), against: 0, shortfall: 0 });
const excess = (orders: readonly ClosingOrder[], shown: readonly ShownOrder[], units: number) =>
  closingAtBroker(orders, shown).map((group) => closingExcess(group, held(units)) / 1e8);

it('adds up what works at the broker, once for each order, whether its list shows it or not', () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ units: fc.integer({ min: 1, max: 20 }), isShown: fc.boolean() }), {
        minLength: 1,
      }),
      fc.integer({ min: 0, max: 60 }),
      (made, units) => {
        const orders = made.map((one, i) => stop(i, { units: one.units }));
        const shown = made.flatMap((one, i) => (one.isShown ? shows(i, one.units) : []));
        const all = made.reduce((sum, one) => sum + one.units, 0);
        expect(excess(orders, shown, units)).toEqual([all - units]);
      },
    ),
  );
});

it('counts an order that has ended in our rows and works at the broker', () => {
  const twice = [stop(1, { status: 'expired' }), stop(2)];
  expect(excess(twice, [shows(1, 10), shows(2, 10)], 10)).toEqual([10]);
  expect(excess(twice, [shows(1, 10, false), shows(2, 10)], 10)).toEqual([0]);
  expect(excess(twice, [shows(2, 10)], 10)).toEqual([0]);
});

it('leaves out what staff are asked about, as long as the broker does not show it', () => {
  const asked = stop(1, { reason: { code: 'cancel_not_confirmed', parked: null } });
  expect(closingAtBroker([asked, stop(2, { status: 'unknown' })], [])).toEqual([]);
  expect(excess([asked], [shows(1, 10)], 4)).toEqual([6]);
});
