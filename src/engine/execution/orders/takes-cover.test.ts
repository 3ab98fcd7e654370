import { expect, it } from 'vitest';
import { openOrder } from '#tests/support/engine/open-order.ts';
import type { OrderId, Symbol } from '#units/identifiers.ts';
import { toQuantity } from '#units/quantity.ts';
import { takesCover } from './takes-cover.ts';

const CALL = 'AAA.260320C102' as Symbol;
const BUY_BACK = buyBack(CALL);

function buyBack(symbol: Symbol) {
  const order = openOrder({ id: '7' as OrderId, side: 'buy' });
  return { ...order, decided: { ...order.decided, symbol } };
}

const sold = (
  units: number,
  {
    shares = 225,
    calls = -2,
    openOrders = [BUY_BACK],
    contract = CALL,
  }: { shares?: number; calls?: number; openOrders?: (typeof BUY_BACK)[]; contract?: Symbol } = {},
) =>
  takesCover(openOrder({ units, purpose: 'liquidation' }), {
    openOrders,
    record: {
      holdings: new Map([
        ['AAA' as Symbol, { quantity: toQuantity(shares) }],
        [contract, { quantity: toQuantity(calls) }],
      ]),
    },
  });

it('is so of shares that a call needs while that is being bought back, and not of those beyond', () => {
  expect(sold(225)).toBe(true);
  expect(sold(26)).toBe(true);
  expect(sold(25)).toBe(false);
});

it('is not so without an order for the call: shares must not wait for what nobody buys', () => {
  expect(sold(225, { openOrders: [] })).toBe(false);
  expect(sold(225, { openOrders: [buyBack('BBB.260320C102' as Symbol)] })).toBe(false);
});

it('is not so of options that no shares cover', () => {
  const put = 'AAA.260320P90' as Symbol;
  expect(sold(225, { contract: put, openOrders: [buyBack(put)] })).toBe(false);
  expect(sold(225, { calls: 2 })).toBe(false);
});

it('is not so of a purchase or a protective stop', () => {
  const record = { holdings: new Map([[CALL, { quantity: toQuantity(-2) }]]) };
  expect(takesCover(openOrder({ side: 'buy' }), { openOrders: [BUY_BACK], record })).toBe(false);
  expect(takesCover(openOrder({ purpose: 'protective' }), { openOrders: [BUY_BACK], record })).toBe(false);
});
