import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ClientOrderId } from '#units/identifiers.ts';
import { instant } from '#units/instant.ts';
import { quantity, toQuantity } from '#units/quantity.ts';
import type { DeploymentState } from '../deployment-state.ts';
import { step } from '../step.ts';
import { deployment, filled, marksOf, target, TERMS } from '#tests/support/engine/deployment.ts';

const PRICES = { AAA: 100, BBB: 50 };

/** Holds 40 AAA, long or short, and closes them all. */
function closing(weight = 0.4) {
  const { state, orders } = step(deployment({ allowsShort: true }), target({ AAA: weight }, PRICES), TERMS);
  const held = step(state, filled(orders[0]!, 100), TERMS).state;
  const event = { type: 'liquidate', at: instant(2), id: 'L1', marks: marksOf(PRICES) } as const;
  const closed = step(held, event, TERMS);
  return { state: closed.state, exit: closed.orders[0]! };
}

function cut(state: DeploymentState, clientOrderId: ClientOrderId, available: number) {
  const event = { type: 'resize_exit', at: instant(3), clientOrderId, cause: 'L1' } as const;
  return step(state, { ...event, available: quantity(Math.floor(available * 1e8)) }, TERMS);
}

describe('an exit of more than is there', () => {
  it('is ordered again for the available quantity, as the next attempt, and the first order no longer works', () => {
    const { state, exit } = closing();
    const result = cut(state, exit.clientOrderId, 35);
    expect(result.orders).toMatchObject([
      {
        symbol: 'AAA',
        side: 'sell',
        quantity: toQuantity(35),
        purpose: 'liquidation',
        cause: 'L1',
        attempt: 2,
      },
    ]);
    expect(result.state.working.map(({ clientOrderId }) => clientOrderId)).toEqual([
      result.orders[0]!.clientOrderId,
    ]);
  });

  it('closes a short position the same way', () => {
    const { state, exit } = closing(-0.4);
    expect(cut(state, exit.clientOrderId, 12).orders).toMatchObject([
      { side: 'buy', quantity: toQuantity(12) },
    ]);
  });

  it('never closes more than is there or was asked for, and only in whole steps', () => {
    const { state, exit } = closing();
    fc.assert(
      // Hundredths, because most doubles of a range are close to zero.
      fc.property(fc.integer({ min: 0, max: 8_000 }), (hundredths) => {
        const available = hundredths / 100;
        const [order] = cut(state, exit.clientOrderId, available).orders;
        if (order === undefined) expect(available < 1 || available >= 40).toBe(true);
        else expect(order.quantity).toBe(toQuantity(Math.floor(available)));
      }),
    );
  });

  it('leaves an order of a target, and one that is not there, as they are', () => {
    const bought = step(deployment(), target({ AAA: 0.4 }, PRICES), TERMS);
    const held = step(bought.state, filled(bought.orders[0]!, 100), TERMS).state;
    const { state, orders } = step(held, target({ BBB: 0.1 }, PRICES, { id: 'target-2' }), TERMS);
    expect(cut(state, orders[0]!.clientOrderId, 5)).toMatchObject({ state, orders: [] });
    expect(cut(state, 'none' as ClientOrderId, 5)).toMatchObject({ state, orders: [] });
  });
});
