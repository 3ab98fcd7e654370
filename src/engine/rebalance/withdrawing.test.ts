import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { deployment, marksOf, target, TERMS } from '#tests/support/engine/deployment.ts';
import type { Symbol } from '#units/identifiers.ts';
import { notional, toMicro, ZERO_MICRO } from '#units/money.ts';
import { toQuantity } from '#units/quantity.ts';
import { decisionRecord, recordedState } from '../decision/decision-record.ts';
import type { DecisionTrace } from '../decision/sizing.ts';
import { step } from '../step.ts';

const marks = marksOf({ AAA: 100, BBB: 40 });
const holding = (withdrawing: number) => {
  const [quantity, symbol] = [toQuantity(80), 'AAA' as Symbol];
  return deployment({
    marks,
    withdrawing: toMicro(withdrawing),
    portfolio: {
      cash: toMicro(2_000),
      realized: ZERO_MICRO,
      positions: new Map([[symbol, { symbol, quantity, cost: notional(quantity, 100, 1) }]]),
    },
  });
};

it('sizes positions to what stays, so that sales free what is to be withdrawn', () => {
  const { orders } = step(holding(4_000), target({ AAA: 0.8 }, { AAA: 100 }), TERMS);
  // 80% of 10,000 less 4,040.
  expect(orders.map(({ side, symbol, quantity }) => [side, symbol, quantity])).toEqual([
    ['sell', 'AAA', toQuantity(33)],
  ]);
});

it('buys nothing with what is to be withdrawn', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 9_000 }),
      fc.integer({ min: 0, max: 100 }),
      (withdrawing, percent) => {
        const wanted = target({ AAA: 0.5, BBB: percent / 200 }, { AAA: 100, BBB: 40 });
        const { orders } = step(holding(withdrawing), wanted, TERMS);
        const paid = orders
          .filter(({ side }) => side === 'buy')
          .reduce((sum, { quantity, limitPrice }) => sum + notional(quantity, limitPrice, 1), 0);
        expect(paid).toBeLessThanOrEqual(Math.max(0, toMicro(2_000 - withdrawing)));
      },
    ),
  );
});

it('is part of the receipt of a decision', () => {
  const state = holding(4_000);
  const trace: DecisionTrace = { sizings: [] };
  const wanted = target({ AAA: 0.8 }, { AAA: 100 });
  const made = step(state, wanted, TERMS, trace);
  const kept = JSON.parse(JSON.stringify(decisionRecord(state, trace.sizings)));
  expect(step(recordedState(kept, state.deploymentId), wanted, TERMS).orders).toEqual(made.orders);
});
