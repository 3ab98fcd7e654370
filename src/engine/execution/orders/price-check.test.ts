import { expect, it } from 'vitest';
import { type Instant, instant, SECOND_MS } from '#units/instant.ts';
import { MARKET, orderRecord } from '#tests/support/engine/deployment-snapshot.ts';
import { MONDAY } from '#tests/support/engine/open-order.ts';
import { KIND_RULES } from '../../market/kinds/rules-of.ts';
import { checkPrice } from './price-check.ts';

const LIMIT = KIND_RULES.equity.priceMaxAgeMs;
const BEFORE = instant(MONDAY - 1);
const at = (ms: number, marks = MARKET.marks, speed = 1) =>
  checkPrice(orderRecord(), { ...MARKET, now: instant(MONDAY + ms), marks, speed, reconciledSince: BEFORE });

it('lets an order leave at a price of its time, and decides it again at a newer one', () => {
  expect(at(LIMIT)).toEqual({ type: 'current' });
  expect(at(LIMIT + 1)).toEqual({ type: 'withdraw', reason: { code: 'price_too_old' } });
  expect(at(LIMIT + 1, MARKET.marks, 2)).toEqual({ type: 'current' });
});

it('holds an order whose instrument has no newer price to decide on', () => {
  expect(at(LIMIT + 1, new Map())).toEqual({ type: 'wait', reason: { code: 'no_current_price' } });
});

it('holds what the strategy wants while two feeds differ, and lets an exit leave that a person asked for', () => {
  const { symbol } = orderRecord().decided;
  const inDoubt = (purpose: 'rebalance' | 'liquidation' | 'stop_loss', ms: number) =>
    checkPrice(orderRecord({ purpose }), {
      ...MARKET,
      marks: new Map(),
      doubted: new Map([[symbol, 100]]),
      now: instant(MONDAY + ms),
      speed: 1,
      reconciledSince: BEFORE,
    });
  const held = { type: 'wait', reason: { code: 'price_doubted' } };
  expect([inDoubt('rebalance', 0), inDoubt('rebalance', LIMIT + 1)]).toEqual([held, held]);
  expect(inDoubt('liquidation', LIMIT)).toEqual({ type: 'current' });
  expect(inDoubt('liquidation', LIMIT + 1)).toEqual({ type: 'withdraw', reason: { code: 'price_too_old' } });
  expect(inDoubt('stop_loss', LIMIT)).toEqual({ type: 'current' });
  expect(inDoubt('stop_loss', LIMIT + 1).type).toBe('wait');
});

it('does not apply to a stop, whose price follows from the entry', () => {
  const stop = { ...orderRecord({ purpose: 'protective' }), pricedAt: null };
  const late = { ...MARKET, now: instant(MONDAY + 100 * LIMIT), speed: 1, reconciledSince: BEFORE };
  expect(checkPrice(stop, late)).toEqual({ type: 'current' });
});

it('decides an order again that waited for the end of a gap', () => {
  const after = (ms: number, reconciledSince: Instant | null) =>
    checkPrice(orderRecord(), { ...MARKET, now: instant(MONDAY + ms), speed: 1, reconciledSince }).type;
  const over = instant(MONDAY + 9 * SECOND_MS);
  expect([after(10 * SECOND_MS, over), after(10 * SECOND_MS, null)]).toEqual(['withdraw', 'withdraw']);
  expect([after(10 * SECOND_MS, BEFORE), after(SECOND_MS, over)]).toEqual(['current', 'current']);
});
