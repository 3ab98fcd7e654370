import { expect, it } from 'vitest';
import type { ClientOrderId, Symbol } from '#units/identifiers.ts';
import { toMicro } from '#units/money.ts';
import { toQuantity } from '#units/quantity.ts';
import { valuePortfolio } from '../portfolio/value.ts';
import { deployment, marksOf, TERMS } from '#tests/support/engine/deployment.ts';
import type { WorkingOrder } from '../order/order.ts';
import { budgetOf } from './budget.ts';

/** 10,000 in cash and 1,000 euros bought at 1.00 and now at 1.50: equity is more than there is to pay with. */
const marks = marksOf({ AAA: 100, EURUSD: 1.5 });
const euros = { symbol: 'EURUSD' as Symbol, quantity: toQuantity(1_000), cost: toMicro(1_000) };
const budget = (...working: WorkingOrder[]) => {
  const portfolio = {
    cash: toMicro(10_000),
    realized: toMicro(0),
    positions: new Map([[euros.symbol, euros]]),
  };
  const state = deployment({ portfolio, marks, working });
  return budgetOf(state, valuePortfolio(portfolio, marks, TERMS.instruments), TERMS);
};
const order = (side: 'buy' | 'sell', symbol: string, units: number, limitPrice: number): WorkingOrder => ({
  clientOrderId: `${side} ${symbol}` as ClientOrderId,
  symbol: symbol as Symbol,
  side,
  remaining: toQuantity(units),
  limitPrice,
  purpose: 'rebalance',
});

it('has the cash that is there, and exposure up to the equity', () => {
  expect(budget()).toEqual({ cash: toMicro(10_000), exposure: toMicro(10_500 - 1_500) });
});

it('loses to a working purchase its price at the limit and its commission, from the cash as from the exposure', () => {
  const left = budget(order('buy', 'AAA', 50, 103));
  expect(left).toEqual({ cash: toMicro(10_000 - 5_155.15), exposure: toMicro(9_000 - 5_155.15) });
});

it('gets nothing back from a working sale before it fills', () => {
  const { cash, exposure } = budget(order('sell', 'EURUSD', 1_000, 1.45));
  expect(cash).toBeLessThan(toMicro(10_000));
  expect(exposure).toBeLessThanOrEqual(toMicro(9_000));
});
