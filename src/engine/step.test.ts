import { describe, expect, it } from 'vitest';
import type { ClientOrderId, Symbol } from '#units/identifiers.ts';
import { instant } from '#units/instant.ts';
import { toMicro } from '#units/money.ts';
import { toQuantity } from '#units/quantity.ts';
import { restoreApprovedOrder } from './order/approved-order.ts';
import { deployment, filled, marksOf, stepThrough, target, TERMS } from '#tests/support/engine/deployment.ts';
import { step, type DeploymentState, type StepResult } from './step.ts';

const PRICES = { AAA: 100, BBB: 50 };

/** Holds 40 AAA bought at 100. */
function holding(change: Partial<DeploymentState> = {}): DeploymentState {
  const { state, orders } = step(deployment(), target({ AAA: 0.4 }, PRICES), TERMS);
  return { ...step(state, filled(orders[0]!, 100), TERMS).state, ...change };
}

function drafts({ orders }: StepResult) {
  return orders.map(({ symbol, side, quantity, limitPrice }) => ({
    symbol,
    side,
    units: quantity / 1e8,
    limitPrice,
  }));
}

function codes({ refusals }: StepResult) {
  return refusals.map(({ symbol, code }) => `${symbol} ${code}`);
}

describe('a target', () => {
  it('becomes whole steps of its share of equity, inside the collar', () => {
    const result = step(deployment(), target({ AAA: 0.405, BBB: 0.2 }, PRICES), TERMS);
    expect(drafts(result)).toEqual([
      { symbol: 'AAA', side: 'buy', units: 40, limitPrice: 103 },
      { symbol: 'BBB', side: 'buy', units: 40, limitPrice: 51.5 },
    ]);
  });

  it('never commits more cash than there is at the collar, commission included', () => {
    const result = step(deployment(), target({ AAA: 1 }, PRICES), TERMS);
    expect(drafts(result)).toEqual([{ symbol: 'AAA', side: 'buy', units: 96, limitPrice: 103 }]);
  });

  it('counts working orders against the cash', () => {
    const first = step(deployment(), target({ AAA: 0.6 }, PRICES), TERMS);
    const second = step(first.state, target({ AAA: 0.6, BBB: 0.6 }, PRICES, { id: 'target-2' }), TERMS);
    expect(codes(second)).toEqual(['AAA order_working']);
    expect(drafts(second)).toEqual([{ symbol: 'BBB', side: 'buy', units: 73, limitPrice: 51.5 }]);
  });

  it('sells first, and buys what the sale pays for when it is done', () => {
    const sold = step(holding(), target({ BBB: 0.9 }, PRICES, { id: 'target-2' }), TERMS);
    expect(drafts(sold)).toEqual([{ symbol: 'AAA', side: 'sell', units: 40, limitPrice: 97 }]);
    expect(codes(sold)).toEqual(['BBB awaiting_sales']);
    const bought = step(sold.state, filled(sold.orders[0]!, 101), TERMS);
    expect(drafts(bought)).toEqual([{ symbol: 'BBB', side: 'buy', units: 179, limitPrice: 51.5 }]);
  });

  it('continues with what it can pay for when the sale ends unfilled', () => {
    const sold = step(holding(), target({ BBB: 0.9 }, PRICES, { id: 'target-2' }), TERMS);
    const ended = {
      type: 'order_ended',
      at: instant(3_000),
      clientOrderId: sold.orders[0]!.clientOrderId,
    } as const;
    const bought = step(sold.state, ended, TERMS);
    expect(drafts(bought)).toEqual([{ symbol: 'BBB', side: 'buy', units: 116, limitPrice: 51.5 }]);
  });

  it('leaves alone what is close enough', () => {
    const result = step(holding(), target({ AAA: 0.405 }, PRICES, { id: 'target-2' }), TERMS);
    expect(result.orders).toEqual([]);
    expect(codes(step(holding(), target({ AAA: 0.409 }, { AAA: 99 }, { id: 'target-2' }), TERMS))).toEqual([
      'AAA within_band',
    ]);
  });

  it('is cut to the allocation limit, and says so', () => {
    const limits = { stopLossPercentage: 0, maxAllocationPercent: 25, freezeOnDrawdownPercent: 0 };
    const result = step(deployment({ limits }), target({ AAA: 0.4 }, PRICES), TERMS);
    expect(drafts(result)).toEqual([{ symbol: 'AAA', side: 'buy', units: 25, limitPrice: 103 }]);
    expect(result.refusals).toEqual([
      {
        symbol: 'AAA',
        code: 'max_allocation',
        limitPercent: 25,
        askedPercent: 40,
      },
    ]);
  });

  it('does not open a short position that is not allowed', () => {
    const result = step(deployment(), target({ AAA: -0.2 }, PRICES), TERMS);
    expect(result.orders).toEqual([]);
    expect(codes(result)).toEqual(['AAA short_not_allowed']);
  });

  it('turns a position round in one order where shorts are allowed', () => {
    const result = step(
      holding({ allowsShort: true }),
      target({ AAA: -0.2 }, PRICES, { id: 'target-2' }),
      TERMS,
    );
    expect(drafts(result)).toEqual([{ symbol: 'AAA', side: 'sell', units: 59, limitPrice: 97 }]);
  });

  it('sizes margin instruments by their dollar worth', () => {
    const result = step(deployment({ allowsShort: true }), target({ USDJPY: -0.5 }, { USDJPY: 150 }), TERMS);
    expect(drafts(result)).toEqual([{ symbol: 'USDJPY', side: 'sell', units: 5_000, limitPrice: 145.5 }]);
  });

  it('without a price trades nothing in that instrument', () => {
    expect(codes(step(deployment(), target({ AAA: 0.5, CCC: 0.5 }, { AAA: 100 }), TERMS))).toEqual([
      'CCC no_price',
    ]);
  });

  it('too small for one unit says so', () => {
    expect(codes(step(deployment(), target({ AAA: 0.009 }, PRICES), TERMS))).toEqual(['AAA below_one_step']);
  });
});

describe('permission', () => {
  it('none sends nothing at all', () => {
    const result = step(
      holding({ permission: 'none' }),
      target({ BBB: 0.3 }, PRICES, { id: 'target-2' }),
      TERMS,
    );
    expect(result.orders).toEqual([]);
    expect(codes(result)).toEqual(['AAA not_active', 'BBB not_active']);
  });

  it('exits_only sells and never buys', () => {
    const result = step(
      holding({ permission: 'exits_only' }),
      target({ BBB: 0.3 }, PRICES, { id: 'target-2' }),
      TERMS,
    );
    expect(drafts(result)).toEqual([{ symbol: 'AAA', side: 'sell', units: 40, limitPrice: 97 }]);
    expect(codes(result)).toEqual(['BBB exits_only']);
  });
});

describe('the freeze', () => {
  const limits = { stopLossPercentage: 0, maxAllocationPercent: 0, freezeOnDrawdownPercent: 10 };
  const mark = (price: number) =>
    ({ type: 'mark', at: instant(5_000), marks: marksOf({ AAA: price, BBB: 50 }) }) as const;

  it('comes when equity has fallen that far from its peak, once, and stays', () => {
    const frozen = stepThrough(holding({ limits }), mark(70));
    expect(frozen.notices).toEqual([{ type: 'frozen', drawdownPercent: expect.closeTo(12.04, 1) }]);
    expect(frozen.state.frozenAt).toBe(5_000);
    const later = step(frozen.state, mark(200), TERMS);
    expect(later.notices).toEqual([]);
    expect(later.state.frozenAt).toBe(5_000);
  });

  it('lets positions be sold and nothing be bought', () => {
    const { state } = stepThrough(holding({ limits }), mark(70));
    const result = step(state, target({ BBB: 0.5 }, { AAA: 70, BBB: 50 }, { id: 'target-2' }), TERMS);
    expect(drafts(result)).toEqual([{ symbol: 'AAA', side: 'sell', units: 40, limitPrice: 67.9 }]);
    expect(codes(result)).toEqual(['BBB frozen']);
  });

  it('turns a position no further round than to nothing', () => {
    const { state } = stepThrough(holding({ limits, allowsShort: true }), mark(70));
    const result = step(state, target({ AAA: -0.5 }, { AAA: 70 }, { id: 'target-2' }), TERMS);
    expect(drafts(result)).toEqual([{ symbol: 'AAA', side: 'sell', units: 40, limitPrice: 67.9 }]);
  });

  it('at 0 never comes', () => {
    expect(stepThrough(holding(), mark(1)).state.frozenAt).toBe(null);
  });
});

describe('returns below the record', () => {
  const prices = { AAA: 100, BBB: 50 };

  it('let positions be sold and nothing be bought, where its owner chose that', () => {
    const result = step(holding({ reaction: 'exits_only' }), target({ BBB: 0.5 }, prices), TERMS);
    expect(drafts(result)).toEqual([{ symbol: 'AAA', side: 'sell', units: 40, limitPrice: 97 }]);
    expect(codes(result)).toEqual(['BBB below_record']);
  });

  it('turn a position no further round than to nothing', () => {
    const state = holding({ reaction: 'exits_only', allowsShort: true });
    const result = step(state, target({ AAA: -0.5 }, prices), TERMS);
    expect(drafts(result)).toEqual([{ symbol: 'AAA', side: 'sell', units: 40, limitPrice: 97 }]);
  });

  it('leave half of what the strategy asks for, where its owner chose that, and say so', () => {
    const whole = step(deployment(), target({ AAA: 0.4, BBB: 0.2 }, prices), TERMS);
    const half = step(deployment({ reaction: 'halve' }), target({ AAA: 0.4, BBB: 0.2 }, prices), TERMS);
    const same = step(deployment(), target({ AAA: 0.2, BBB: 0.1 }, prices), TERMS);
    expect(half.orders).toEqual(same.orders);
    expect(half.orders).not.toEqual(whole.orders);
    expect(codes(half)).toEqual(['AAA halved', 'BBB halved']);
  });

  it('sell the other half of what is held, of what it is worth after commission', () => {
    const result = step(holding({ reaction: 'halve' }), target({ AAA: 0.4 }, prices), TERMS);
    expect(drafts(result)).toMatchObject([{ symbol: 'AAA', side: 'sell', units: 21 }]);
  });

  it('are halved before the allocation limit cuts', () => {
    const limits = { stopLossPercentage: 0, maxAllocationPercent: 20, freezeOnDrawdownPercent: 0 };
    const result = step(deployment({ reaction: 'halve', limits }), target({ AAA: 0.6 }, prices), TERMS);
    expect(codes(result)).toEqual(['AAA halved', 'AAA max_allocation']);
    expect(drafts(result)).toMatchObject([{ side: 'buy', units: 20 }]);
  });
});

describe('the stop loss', () => {
  const limits = { stopLossPercentage: 10, maxAllocationPercent: 0, freezeOnDrawdownPercent: 0 };
  const mark = (price: number) =>
    ({ type: 'mark', at: instant(5_000), marks: marksOf({ AAA: price, BBB: 50 }) }) as const;

  it('sells a position that has lost that much of its average cost', () => {
    expect(stepThrough(holding({ limits }), mark(90.01)).orders).toEqual([]);
    const stopped = stepThrough(holding({ limits }), mark(90));
    expect(drafts(stopped)).toEqual([{ symbol: 'AAA', side: 'sell', units: 40, limitPrice: 87.3 }]);
    expect(stopped.orders[0]!.purpose).toBe('stop_loss');
    expect(stopped.notices).toEqual([{ type: 'stop_loss', symbol: 'AAA', lossPercent: 10 }]);
  });

  it('is asked for once while its order is working, and again when that one expired', () => {
    const stopped = stepThrough(holding({ limits }), mark(90));
    expect(step(stopped.state, mark(85), TERMS).orders).toEqual([]);
    const ended = {
      type: 'order_ended',
      at: instant(6_000),
      clientOrderId: stopped.orders[0]!.clientOrderId,
    } as const;
    const again = stepThrough(stopped.state, ended, mark(85));
    expect(again.orders[0]!.attempt).toBe(2);
    expect(again.orders[0]!.clientOrderId).not.toBe(stopped.orders[0]!.clientOrderId);
    expect(again.notices).toEqual([]);
  });

  it('keeps the instrument out until the strategy lets it go', () => {
    const stopped = stepThrough(holding({ limits }), mark(90));
    const flat = step(stopped.state, filled(stopped.orders[0]!, 90), TERMS).state;
    const asked = step(flat, target({ AAA: 0.4 }, { AAA: 90 }, { id: 'target-2' }), TERMS);
    expect(codes(asked)).toEqual(['AAA stopped_out']);
    const dropped = step(asked.state, target({}, { AAA: 90 }, { id: 'target-3' }), TERMS);
    const back = step(dropped.state, target({ AAA: 0.4 }, { AAA: 90 }, { id: 'target-4' }), TERMS);
    expect(drafts(back)[0]).toMatchObject({ symbol: 'AAA', side: 'buy' });
  });

  it('ignores an invalid price', () => {
    expect(stepThrough(holding({ limits }), mark(0), mark(Number.NaN)).orders).toEqual([]);
  });
});

describe('liquidation', () => {
  const event = { type: 'liquidate', at: instant(7_000), id: 'request-1', marks: marksOf(PRICES) } as const;

  it('closes everything and forgets the target', () => {
    const result = step(holding({ permission: 'exits_only' }), event, TERMS);
    expect(drafts(result)).toEqual([{ symbol: 'AAA', side: 'sell', units: 40, limitPrice: 97 }]);
    expect(result.state.target).toBe(null);
  });

  it('never sells what a working order sells already', () => {
    const first = step(holding(), event, TERMS);
    const second = step(first.state, { ...event, id: 'request-2' }, TERMS);
    expect(second.orders).toEqual([]);
    expect(codes(second)).toEqual(['AAA closes_after_order']);
  });
});

describe('client order ids', () => {
  it('derive from the decision alone', () => {
    const ids = [1, 2].map(
      () => step(deployment(), target({ AAA: 0.4 }, PRICES), TERMS).orders[0]!.clientOrderId,
    );
    expect(ids[0]).toBe(ids[1]);
    expect(ids[0]).toMatch(/^BW[0-9A-HJKMNP-TV-Z]{26}$/);
    const other = step(deployment(), target({ AAA: 0.4 }, PRICES, { id: 'target-2' }), TERMS).orders[0]!;
    expect(other.clientOrderId).not.toBe(ids[0]);
  });

  it('expose a record that was changed', () => {
    const order = step(deployment(), target({ AAA: 0.4 }, PRICES), TERMS).orders[0]!;
    expect(restoreApprovedOrder({ ...order })).toEqual(order);
    expect(() => restoreApprovedOrder({ ...order, symbol: 'BBB' as Symbol })).toThrow(/derive/);
  });

  it('a partial fill leaves the rest working', () => {
    const { state, orders } = step(deployment(), target({ AAA: 0.4 }, PRICES), TERMS);
    const part = filled({ ...orders[0]!, quantity: toQuantity(15) }, 100);
    const after = step(state, part, TERMS).state;
    expect(after.working).toMatchObject([
      { clientOrderId: orders[0]!.clientOrderId, remaining: toQuantity(25) },
    ]);
    expect(after.portfolio.cash).toBe(toMicro(10_000 - 1_500 - 1.5));
    const ended = { type: 'order_ended', at: instant(1), clientOrderId: 'none' as ClientOrderId } as const;
    expect(step(after, ended, TERMS).state).toEqual(after);
  });
});
