import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ClientOrderId, Symbol } from '#units/identifiers.ts';
import { instant } from '#units/instant.ts';
import { micro, toMicro } from '#units/money.ts';
import { quantity, toQuantity } from '#units/quantity.ts';
import type { DeploymentState } from '../deployment-state.ts';
import { equityInstrument } from '#tests/support/engine/random-market.ts';
import { deployment } from '#tests/support/engine/deployment.ts';
import type { OrderDraft, WorkingOrder } from '../order/order.ts';
import { approve } from './approve.ts';

const AAA = equityInstrument('AAA');
const draft = (change: Partial<OrderDraft> = {}): OrderDraft => ({
  symbol: 'AAA' as Symbol,
  side: 'buy',
  quantity: toQuantity(10),
  limitPrice: 103,
  referencePrice: 100,
  purpose: 'rebalance',
  cause: 'target-1',
  decidedAt: instant(0),
  ...change,
});
const holding = (units: number, change: Partial<DeploymentState> = {}) =>
  deployment({
    portfolio: {
      cash: toMicro(1_000),
      realized: toMicro(0),
      positions: new Map(
        units === 0
          ? []
          : [[AAA.symbol, { symbol: AAA.symbol, quantity: toQuantity(units), cost: toMicro(units * 100) }]],
      ),
    },
    ...change,
  });
const working = (side: 'buy' | 'sell', units: number): WorkingOrder => ({
  clientOrderId: 'W' as ClientOrderId,
  symbol: AAA.symbol,
  side,
  remaining: toQuantity(units),
  limitPrice: 100,
  purpose: 'rebalance',
});
type Asked = { state?: DeploymentState; working?: readonly WorkingOrder[]; cash?: number; claims?: number };
const ask = (
  wanted: OrderDraft,
  { state = holding(0), working: others = [], cash = 1_000, claims = 0 }: Asked = {},
) =>
  approve(wanted, {
    state,
    working: others,
    instrument: AAA,
    budget: { cash: toMicro(cash), exposure: toMicro(1e6) },
    claim: { cash: toMicro(claims), exposure: micro(0) },
    attempt: 1,
  });
const code = (answer: ReturnType<typeof ask>) => (answer.ok ? 'approved' : answer.refused.code);

describe('an order is approved', () => {
  it('only as far as the cash that is left pays for it, to the micro-unit', () => {
    expect(code(ask(draft(), { cash: 1_030, claims: 1_030 }))).toBe('approved');
    expect(code(ask(draft(), { cash: 1_029.999999, claims: 1_030 }))).toBe('no_cash');
  });

  it('to sell no more than is held and not being sold already', () => {
    const sell = draft({ side: 'sell' });
    expect(code(ask(sell, { state: holding(10) }))).toBe('approved');
    expect(code(ask(sell, { state: holding(9) }))).toBe('exceeds_holding');
    expect(code(ask(sell, { state: holding(15), working: [working('sell', 6)] }))).toBe('exceeds_holding');
    expect(code(ask(sell, { state: holding(16), working: [working('sell', 6)] }))).toBe('approved');
    // A purchase that has not filled is not there to be sold.
    expect(code(ask(sell, { state: holding(5), working: [working('buy', 10)] }))).toBe('exceeds_holding');
  });

  it('never so that a deployment that may not be short ends short, for any working orders and any request', () => {
    const units = fc.integer({ min: 0, max: 40 });
    const side = fc.constantFrom('buy', 'sell');
    fc.assert(
      fc.property(
        units,
        fc.array(fc.tuple(side, units)),
        fc.integer({ min: 1, max: 40 }),
        (held, others, asked) => {
          const state = holding(held);
          const orders = others
            .map(([of, remaining]) => working(of, remaining))
            .filter((one) => one.remaining > 0);
          const sold = orders.reduce((sum, one) => sum + (one.side === 'sell' ? one.remaining : 0), 0);
          const answer = ask(draft({ side: 'sell', quantity: toQuantity(asked) }), {
            state,
            working: orders,
          });
          if (answer.ok) expect(toQuantity(held) - sold - answer.order.quantity).toBeGreaterThanOrEqual(0);
          else expect(toQuantity(held) - sold - toQuantity(asked)).toBeLessThan(0);
        },
      ),
    );
  });

  it('in whole steps alone, and never for nothing', () => {
    expect(code(ask(draft({ quantity: quantity(50_000_000) })))).toBe('partial_step');
    expect(code(ask(draft({ quantity: quantity(0) })))).toBe('partial_step');
  });

  it('not to add anything while frozen, below its record or only closing, and not at all while paused', () => {
    const held = holding(10);
    const frozen = { ...held, frozenAt: instant(1) };
    const closing = { ...held, permission: 'exits_only' } as const;
    const below = { ...held, reaction: 'exits_only' } as const;
    const paused = { ...held, permission: 'none' } as const;
    const of = (state: DeploymentState) => [
      code(ask(draft(), { state })),
      code(ask(draft({ side: 'sell', purpose: 'stop_loss' }), { state })),
    ];
    expect(of(frozen)).toEqual(['frozen', 'approved']);
    expect(of(below)).toEqual(['below_record', 'approved']);
    expect(of({ ...held, reaction: 'halve' })).toEqual(['approved', 'approved']);
    expect(of(closing)).toEqual(['exits_only', 'approved']);
    expect(of(paused)).toEqual(['not_active', 'not_active']);
  });

  it('under an exit’s name only when it closes something', () => {
    expect(code(ask(draft({ purpose: 'liquidation' }), { state: holding(10) }))).toBe('nothing_to_close');
  });
});
