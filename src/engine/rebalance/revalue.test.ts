import { expect, it } from 'vitest';
import type { Symbol } from '#units/identifiers.ts';
import { instant } from '#units/instant.ts';
import { toMicro } from '#units/money.ts';
import { toQuantity } from '#units/quantity.ts';
import { step } from '../step.ts';
import { deployment, marksOf, TERMS } from '#tests/support/engine/deployment.ts';

const position = { symbol: 'AAA' as Symbol, quantity: toQuantity(40), cost: toMicro(4_000) };
const held = deployment({
  limits: { stopLossPercentage: 10, maxAllocationPercent: 0, freezeOnDrawdownPercent: 10 },
  portfolio: {
    cash: toMicro(6_000),
    realized: toMicro(0),
    positions: new Map([['AAA' as Symbol, position]]),
  },
  marks: marksOf({ AAA: 100 }),
});
const marked = (AAA: number) => step(held, { type: 'mark', at: instant(1), marks: marksOf({ AAA }) }, TERMS);

it.each([0, -100, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])(
  'a price of %d is none: no stop loss, no freeze, no new peak, and the last price stays',
  (price) => {
    const { state, orders, notices } = marked(price);
    expect([orders, notices]).toEqual([[], []]);
    expect(state).toMatchObject({ frozenAt: null, peakEquity: held.peakEquity });
    expect(state.marks.get('AAA' as Symbol)).toBe(100);
  },
);

it('with the freeze off, no fall freezes', () => {
  const off = deployment({
    ...held,
    limits: { ...held.limits, stopLossPercentage: 0, freezeOnDrawdownPercent: 0 },
  });
  const { state, notices } = step(off, { type: 'mark', at: instant(1), marks: marksOf({ AAA: 1 }) }, TERMS);
  expect([state.frozenAt, notices]).toEqual([null, []]);
});

it('an invalid price does not affect the others', () => {
  const marks = marksOf({ AAA: Number.NaN, BBB: 41 });
  const { state } = step(held, { type: 'mark', at: instant(1), marks }, TERMS);
  expect([...state.marks]).toEqual([...marksOf({ AAA: 100, BBB: 41 })]);
});

it('what is held and not named in an event keeps its last price', () => {
  const { state, orders } = step(held, { type: 'mark', at: instant(1), marks: marksOf({ BBB: 41 }) }, TERMS);
  expect(orders).toEqual([]);
  expect(state.marks.get('AAA' as Symbol)).toBe(100);
});
