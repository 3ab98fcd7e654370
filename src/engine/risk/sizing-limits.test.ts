import { describe, expect, it } from 'vitest';
import { deployment, filled, target, TERMS } from '#tests/support/engine/deployment.ts';
import type { Symbol } from '#units/identifiers.ts';
import { instant } from '#units/instant.ts';
import { toQuantity } from '#units/quantity.ts';
import type { DeploymentState, StepResult, TradingTerms } from '../deployment-state.ts';
import { step } from '../step.ts';
import { type SizingLimits, stepOf } from './sizing-limits.ts';

const AAA = 'AAA' as Symbol;
const PRICES = { AAA: 100 };
/** The instrument trades in thousandths. */
const FRACTIONS: TradingTerms = {
  ...TERMS,
  instruments: new Map(TERMS.instruments).set(AAA, {
    ...TERMS.instruments.get(AAA)!,
    quantityStep: toQuantity(0.001),
  }),
};
const WHOLE: SizingLimits = {
  steps: { equity: { long: toQuantity(1), short: toQuantity(1) } },
  closesBeforeTurning: false,
};
const LONG_FRACTIONS: SizingLimits = {
  steps: { equity: { short: toQuantity(1) } },
  closesBeforeTurning: true,
};

const sizes = ({ orders }: StepResult) => orders.map(({ side, quantity }) => `${side} ${quantity / 1e8}`);
const codes = ({ refusals }: StepResult) => refusals.map(({ code }) => code);
const follow = (state: DeploymentState, weight: number, id = 'target-1') =>
  step(state, target({ AAA: weight }, PRICES, { id }), FRACTIONS);
const fill = ({ state, orders }: StepResult) => step(state, filled(orders[0]!, 100), FRACTIONS);

describe('the size of an order', () => {
  const short = { allowsShort: true };

  it('is a fraction where instrument and broker take one', () => {
    expect(sizes(follow(deployment(), 0.40555))).toEqual(['buy 40.555']);
    expect(sizes(follow(deployment({ sizing: LONG_FRACTIONS }), 0.40555))).toEqual(['buy 40.555']);
  });

  it('is whole at a broker that takes no fractions, and where it is sold short', () => {
    expect(sizes(follow(deployment({ sizing: WHOLE }), 0.40555))).toEqual(['buy 40']);
    expect(sizes(follow(deployment({ ...short, sizing: LONG_FRACTIONS }), -0.20555))).toEqual(['sell 20']);
    const { refusals } = follow(deployment({ sizing: WHOLE }), 0.005);
    expect(refusals).toMatchObject([{ code: 'below_one_step', least: 1 }]);
  });

  it('is cut to the budget in the steps of the broker', () => {
    expect(sizes(follow(deployment({ sizing: WHOLE }), 1))).toEqual(['buy 96']);
    const [cut] = follow(deployment({ sizing: LONG_FRACTIONS }), 1).orders;
    expect(cut!.quantity % toQuantity(0.001)).toBe(0);
    expect(cut!.quantity % toQuantity(1)).not.toBe(0);
  });

  it('closes what is held to the last fraction, whatever the broker takes', () => {
    const { state } = fill(follow(deployment(), 0.40555));
    expect(sizes(follow({ ...state, sizing: WHOLE }, 0, 'target-2'))).toEqual(['sell 40.555']);
  });
});

describe('turning a position round', () => {
  const state = deployment({ allowsShort: true, sizing: LONG_FRACTIONS });

  it('closes first, and opens the other side as soon as nothing is held', () => {
    const { state: held } = fill(follow(state, 0.40555));
    const turned = follow(held, -0.205, 'target-2');
    expect([sizes(turned), codes(turned)]).toEqual([['sell 40.555'], ['awaiting_close']]);
    expect(sizes(fill(turned))).toEqual(['sell 20']);
  });

  it('opens nothing while a part is still held, and nothing twice', () => {
    const { state: held } = fill(follow(state, 0.4));
    const turned = follow(held, -0.2, 'target-2');
    const part = filled({ ...turned.orders[0]!, quantity: toQuantity(10) }, 100);
    const partly = step(turned.state, part, FRACTIONS);
    expect(sizes(partly)).toEqual([]);
    const { clientOrderId } = turned.orders[0]!;
    const ended = step(partly.state, { type: 'order_ended', at: instant(3_000), clientOrderId }, FRACTIONS);
    expect(sizes(ended)).toEqual([]);
    const short = fill(fill(turned));
    expect(short.state.portfolio.positions.get(AAA)?.quantity).toBeLessThan(0);
    expect(sizes(short)).toEqual([]);
  });

  it('takes one order where the broker allows it', () => {
    const { state: held } = fill(follow({ ...state, sizing: undefined }, 0.4));
    expect(sizes(follow(held, -0.2, 'target-2'))).toEqual(['sell 59.992']);
  });
});

it('is the coarser of the two steps, by the side of the position', () => {
  const share = FRACTIONS.instruments.get(AAA)!;
  expect(stepOf(share, 1, LONG_FRACTIONS)).toBe(toQuantity(0.001));
  expect(stepOf(share, -1, LONG_FRACTIONS)).toBe(toQuantity(1));
  expect(stepOf({ ...share, quantityStep: toQuantity(100) }, 1, WHOLE)).toBe(toQuantity(100));
  expect(stepOf(FRACTIONS.instruments.get('BTCUSD' as Symbol)!, 1, WHOLE)).toBe(
    FRACTIONS.instruments.get('BTCUSD' as Symbol)!.quantityStep,
  );
});
