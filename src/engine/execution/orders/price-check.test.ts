import { expect, it } from 'vitest';
import { instant } from '#units/instant.ts';
import { MARKET, orderRecord } from '#tests/support/engine/deployment-snapshot.ts';
import { MONDAY } from '#tests/support/engine/open-order.ts';
import { KIND_RULES } from '../../market/kinds/rules-of.ts';
import { checkPrice } from './price-check.ts';

const LIMIT = KIND_RULES.equity.priceMaxAgeMs;
const at = (ms: number, marks = MARKET.marks, speed = 1) =>
  checkPrice(orderRecord(), { ...MARKET, now: instant(MONDAY + ms), marks, speed });

it('lets an order leave at a price of its time, and decides it again at a newer one', () => {
  expect(at(LIMIT)).toEqual({ type: 'current' });
  expect(at(LIMIT + 1)).toEqual({ type: 'withdraw', reason: { code: 'price_too_old' } });
  expect(at(LIMIT + 1, MARKET.marks, 2)).toEqual({ type: 'current' });
});

it('holds an order whose instrument has no newer price to decide on', () => {
  expect(at(LIMIT + 1, new Map())).toEqual({ type: 'wait', reason: { code: 'no_current_price' } });
});

it('does not apply to a stop, whose price follows from the entry', () => {
  const stop = { ...orderRecord({ purpose: 'protective' }), pricedAt: null };
  expect(checkPrice(stop, { ...MARKET, now: instant(MONDAY + 100 * LIMIT), speed: 1 })).toEqual({
    type: 'current',
  });
});
