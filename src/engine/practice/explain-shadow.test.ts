import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ClientOrderId, Symbol } from '#units/identifiers.ts';
import { DAY_MS, instant, MINUTE_MS } from '#units/instant.ts';
import { add, type Micro, micro, notional, toMicro, ZERO_MICRO } from '#units/money.ts';
import { toQuantity } from '#units/quantity.ts';
import { equityInstrument } from '#tests/support/engine/random-market.ts';
import { applyFill, openPortfolio } from '../portfolio/apply-fill.ts';
import { valuePortfolio } from '../portfolio/value.ts';
import {
  explainShadow,
  inCents,
  type ShadowFill,
  type ShadowPair,
  type ShadowSide,
} from './explain-shadow.ts';

const [AAA, BBB] = ['AAA', 'BBB'] as [Symbol, Symbol];
const BEGAN = instant(10 * DAY_MS);
const LATER = instant(11 * DAY_MS);

function fill(more: Partial<ShadowFill> = {}): ShadowFill {
  return {
    symbol: AAA,
    side: 'buy',
    quantity: toQuantity(10),
    price: 100,
    commission: ZERO_MICRO,
    at: LATER,
    decision: 'Monday',
    ...more,
  };
}

/** Its value follows from its fills, as the books have it. */
function side(
  fills: readonly ShadowFill[],
  marks: Record<string, number>,
  more: Partial<ShadowSide> = {},
): ShadowSide {
  const known = new Map(Object.entries(marks) as [Symbol, number][]);
  const instruments = new Map([AAA, BBB].map((symbol) => [symbol, equityInstrument(symbol)]));
  let portfolio = openPortfolio(toMicro(10_000));
  for (const one of fills)
    portfolio = applyFill(
      portfolio,
      { ...one, clientOrderId: 'x' as ClientOrderId },
      instruments.get(one.symbol)!,
      known,
    ).portfolio;
  const { financing = ZERO_MICRO, adjustments = [], invested = toMicro(10_000) } = more;
  const { equity } = valuePortfolio(portfolio, known, instruments);
  const byHand = adjustments.map(({ symbol, units, cash }) => add(cash, notional(units, known.get(symbol)!)));
  const value = add(equity, financing, ...byHand, micro(invested - toMicro(10_000)));
  return { value, invested, fills, financing, adjustments, marks: known };
}

function explained(practice: ShadowSide, real: ShadowSide) {
  const pair: ShadowPair = {
    practice,
    real,
    realSince: BEGAN,
    dollarsPerPoint: new Map([
      [AAA, 1],
      [BBB, 1],
    ]),
  };
  const { difference, causes } = explainShadow(pair);
  expect(add(...Object.values(causes))).toBe(difference);
  return {
    difference,
    causes: Object.fromEntries(Object.entries(causes).filter(([, amount]) => amount !== 0)),
  };
}

describe('the difference between a shadow and the real one', () => {
  it('is the price of the same order where one paid more: 10 shares, 5 cents each', () => {
    const found = explained(side([fill({ price: 100.05 })], { AAA: 110 }), side([fill()], { AAA: 110 }));
    expect(found).toEqual({ difference: toMicro(-0.5), causes: { prices: toMicro(-0.5) } });
  });

  it('is the delay where one filled at another moment of the market', () => {
    const late = fill({ price: 103, at: instant(LATER + 15 * MINUTE_MS) });
    const found = explained(side([fill()], { AAA: 110 }), side([late], { AAA: 110 }));
    expect(found).toEqual({ difference: toMicro(30), causes: { late: toMicro(30) } });
  });

  it('is the order that one of them never had filled, to the mark', () => {
    const found = explained(side([fill()], { AAA: 97 }), side([], {}));
    expect(found).toEqual({ difference: toMicro(-30), causes: { one_sided: toMicro(-30) } });
  });

  it('is the part that the other bought less, and its price for the part that both bought', () => {
    const more = fill({ quantity: toQuantity(12), price: 99 });
    const found = explained(side([more], { AAA: 110 }), side([fill()], { AAA: 110 }));
    // 2 shares from 99 to 110; 10 shares a dollar cheaper.
    expect(found.causes).toEqual({ sizes: toMicro(22), prices: toMicro(10) });
  });

  it('is what practice held before, until the real one bought it too', () => {
    const before = fill({ at: instant(BEGAN - 1), price: 90, decision: 'last week' });
    const found = explained(side([before], { AAA: 130 }), side([fill()], { AAA: 130 }));
    // 10 shares from 90 to the 100 that the real one paid: what comes after, both have.
    expect(found).toEqual({ difference: toMicro(100), causes: { earlier: toMicro(100) } });
  });

  it('is what each paid and received beside its trades', () => {
    const dear = fill({ commission: toMicro(1.25) });
    const real = side(
      [fill({ commission: toMicro(1) })],
      { AAA: 100 },
      { financing: toMicro(2), invested: toMicro(10_500) },
    );
    const found = explained(
      side(
        [dear],
        { AAA: 100 },
        { adjustments: [{ symbol: AAA, units: toQuantity(-1), cash: toMicro(97) }] },
      ),
      real,
    );
    expect(found.causes).toEqual({
      commissions: toMicro(-0.25),
      financing: toMicro(-2),
      adjustments: toMicro(-3),
      invested: toMicro(-500),
    });
  });

  it('is the moment at which each was priced', () => {
    const found = explained(side([fill()], { AAA: 101 }), side([fill()], { AAA: 100.5 }));
    expect(found).toEqual({ difference: toMicro(5), causes: { valued_apart: toMicro(5) } });
  });

  it('is shown in cents that sum to the cent', () => {
    const practice = { ...side([fill({ price: 99.9996 })], { AAA: 100 }), financing: micro(6_000) };
    const real = side([fill()], { AAA: 100 });
    const pair = { practice, real, realSince: BEGAN, dollarsPerPoint: new Map([[AAA, 1]]) };
    const exact = explainShadow({
      ...pair,
      practice: { ...practice, value: add(practice.value, micro(6_000)) },
    });
    expect(exact.causes).toMatchObject({ prices: 4_000, financing: 6_000, rest: 0 });
    const shown = inCents(exact, { practice: add(practice.value, micro(6_000)), real: real.value });
    expect(shown.difference).toBe(toMicro(0.01));
    expect(shown.causes).toMatchObject({ prices: 0, financing: toMicro(0.01), rest: 0 });
  });

  it('names what no cause explains', () => {
    const practice = side([fill()], { AAA: 100 });
    const found = explained(
      { ...practice, value: add(practice.value, toMicro(7)) },
      side([fill()], { AAA: 100 }),
    );
    expect(found).toEqual({ difference: toMicro(7), causes: { rest: toMicro(7) } });
  });

  it('is explained to the cent for any trades in dollars, and is nothing for the same ones', () => {
    const trades = fc.array(
      fc.record({
        symbol: fc.constantFrom(AAA, BBB),
        side: fc.constantFrom('buy' as const, 'sell' as const),
        quantity: fc.integer({ min: 1, max: 5_000_000_000 }).map((units) => units as ShadowFill['quantity']),
        price: fc.integer({ min: 1, max: 100_000 }).map((cents) => cents / 100),
        commission: fc.integer({ min: 0, max: 5_000_000 }).map((paid) => paid as Micro),
        at: fc.integer({ min: 8, max: 20 }).map((day) => instant(day * DAY_MS)),
        decision: fc.constantFrom('Monday', 'Tuesday', 'Friday'),
      }),
      { maxLength: 8 },
    );
    const inOrder = (fills: readonly ShadowFill[]) => fills.toSorted((one, other) => one.at - other.at);
    fc.assert(
      fc.property(trades, trades, fc.integer({ min: 1, max: 900 }), (one, other, mark) => {
        const marks = { AAA: mark, BBB: mark / 3 };
        const [practice, real] = [side(inOrder(one), marks), side(inOrder(other), marks)];
        const { causes } = explained(practice, real);
        // Half a micro-unit for each fill and each pair of fills.
        expect(Math.abs(causes.rest ?? 0)).toBeLessThanOrEqual(one.length + other.length + 2);
        expect(explained(practice, practice)).toEqual({ difference: 0, causes: {} });
      }),
    );
  });
});
