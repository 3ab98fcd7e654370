import { describe, expect, it } from 'vitest';
import type { Symbol } from '#units/identifiers.ts';
import { instant } from '#units/instant.ts';
import { toMicro } from '#units/money.ts';
import { fromQuantity, toQuantity } from '#units/quantity.ts';
import { optionInstrument, parseOption } from '../market/option-contract.ts';
import { openPortfolio } from '../portfolio/apply-fill.ts';
import { step } from '../step.ts';
import { deployment, marksOf, target, TERMS } from '#tests/support/engine/deployment.ts';

const CALL = 'AAA.260220C105';
const call = optionInstrument(parseOption(CALL as Symbol)!);
const terms = { ...TERMS, instruments: new Map([...TERMS.instruments, [call.symbol, call]]) };

const limits = { stopLossPercentage: 0, maxAllocationPercent: 0, freezeOnDrawdownPercent: 0 };
const rich = {
  allowsShort: true,
  portfolio: openPortfolio(toMicro(100_000)),
  peakEquity: toMicro(100_000),
};
const structure = { AAA: 0.95, [CALL]: -0.95 * 1.05 };
const prices = { AAA: 100, [CALL]: 1.5 };

const sizes = (orders: ReturnType<typeof step>['orders']) =>
  Object.fromEntries(orders.map(({ symbol, side, quantity }) => [symbol, [side, fromQuantity(quantity)]]));

/** The step that buys the shares, and the one that their fill brings. */
function followed(state: ReturnType<typeof deployment>) {
  const shares = step(state, target(structure, prices), terms);
  const fill = { ...shares.orders[0]!, price: 100, commission: toMicro(0), at: instant(2) };
  return { shares, calls: step(shares.state, { type: 'fill', at: instant(2), fill }, terms) };
}

describe('a covered call within a person’s limits', () => {
  it('is one call for every hundred shares, though its premium is small', () => {
    const { shares, calls } = followed(deployment({ ...rich, limits }));
    expect(sizes(shares.orders)).toEqual({ AAA: ['buy', 950] });
    expect(sizes(calls.orders)).toEqual({ [CALL]: ['sell', 9] });
  });

  it('is refused in words where the exchange lists no such contract, and the shares are bought', () => {
    const { orders, refusals } = step(
      deployment({ ...rich, limits }),
      target(structure, { AAA: 100 }),
      TERMS,
    );
    expect(sizes(orders)).toEqual({ AAA: ['buy', 950] });
    expect(refusals).toEqual([{ symbol: CALL, code: 'not_listed' }]);
  });

  it('waits for the shares, and is then written only as far as they were bought', () => {
    const { shares } = followed(deployment({ ...rich, limits }));
    expect(shares.refusals).toMatchObject([{ symbol: CALL, code: 'awaiting_cover' }]);
    const [order] = shares.orders;
    const part = { ...order!, quantity: toQuantity(420), price: 100, commission: toMicro(0), at: instant(2) };
    const partly = step(shares.state, { type: 'fill', at: instant(2), fill: part }, terms);
    expect(partly.orders).toEqual([]);
    const { clientOrderId } = order!;
    const ended = step(partly.state, { type: 'order_ended', at: instant(3), clientOrderId }, terms);
    expect(sizes(ended.orders)).toEqual({ [CALL]: ['sell', 4] });
  });

  it('is cut with its shares by the limit for one position', () => {
    const capped = deployment({ ...rich, limits: { ...limits, maxAllocationPercent: 40 } });
    const { shares, calls } = followed(capped);
    expect(sizes(shares.orders)).toEqual({ AAA: ['buy', 400] });
    expect(sizes(calls.orders)).toEqual({ [CALL]: ['sell', 4] });
  });

  const holding = deployment({
    ...rich,
    limits: { ...limits, stopLossPercentage: 10 },
    portfolio: {
      cash: toMicro(5_000),
      realized: toMicro(0),
      positions: new Map(
        [
          { symbol: 'AAA' as Symbol, quantity: toQuantity(900), cost: toMicro(90_000) },
          { symbol: CALL as Symbol, quantity: toQuantity(-9), cost: toMicro(-1_350) },
        ].map((one) => [one.symbol, one]),
      ),
    },
  });
  const mark = (marks: { readonly [symbol: string]: number }) =>
    step(holding, { type: 'mark', at: instant(5_000), marks: marksOf(marks) }, terms);

  it('is not stopped out when the premium doubles', () => {
    expect(mark({ AAA: 103, [CALL]: 3 }).orders).toEqual([]);
  });

  it('is closed when its shares are stopped out, so that no written call is left uncovered', () => {
    const { orders } = mark({ AAA: 88, [CALL]: 0.1 });
    expect(sizes(orders)).toEqual({ AAA: ['sell', 900], [CALL]: ['buy', 9] });
    expect(orders.map(({ purpose }) => purpose)).toEqual(['stop_loss', 'stop_loss']);
  });
});
