import { describe, expect, it } from 'vitest';
import { deployment, filled, target, TERMS } from '#tests/support/engine/deployment.ts';
import type { Symbol } from '#units/identifiers.ts';
import type { IsoDate } from '#units/instant.ts';
import { toMicro } from '#units/money.ts';
import { toQuantity } from '#units/quantity.ts';
import type { TradingTerms } from '../deployment-state.ts';
import { type InstrumentTerms, orderStep } from '../market/instrument.ts';
import { quotedBeyond } from '../order/limit-price.ts';
import { step, type StepResult } from '../step.ts';

const AAA = 'AAA' as Symbol;
const PRICES = { AAA: 100 };
const SHARE = TERMS.instruments.get(AAA)!;
const under = (terms: InstrumentTerms, change = {}): TradingTerms => ({
  ...TERMS,
  instruments: new Map(TERMS.instruments).set(AAA, { ...SHARE, ...change, terms }),
});
const outcome = ({ orders, refusals }: StepResult) => [
  ...orders.map(({ side, quantity }) => `${side} ${quantity / 1e8}`),
  ...refusals.map(({ code }) => code),
];
function holding(change: Parameters<typeof deployment>[0] = {}) {
  const { state, orders } = step(deployment(), target({ AAA: 0.4 }, PRICES), TERMS);
  return { ...step(state, filled(orders[0]!, 100), TERMS).state, ...change };
}
const next = (weight: number) => target({ AAA: weight }, PRICES, { id: 'target-2' });

describe('an instrument that its vendor has taken out of trading', () => {
  const terms = under({ isTradable: false });
  it('is not bought, and still sold', () => {
    expect(outcome(step(deployment(), target({ AAA: 0.4 }, PRICES), terms))).toEqual(['not_tradable']);
    expect(outcome(step(holding(), next(0.8), terms))).toEqual(['not_tradable']);
    expect(outcome(step(holding(), next(0.2), terms))).toEqual(['sell 21']);
    expect(outcome(step(holding(), next(0), terms))).toEqual(['sell 40']);
  });
});

describe('a share that nobody lends', () => {
  const terms = under({ isShortable: false });
  it('is closed instead of turned round, and opened by nobody', () => {
    const short = { allowsShort: true };
    expect(outcome(step(deployment(short), target({ AAA: -0.2 }, PRICES), terms))).toEqual(['not_shortable']);
    expect(outcome(step(holding(short), next(-0.2), terms))).toEqual(['sell 40', 'not_shortable']);
    expect(outcome(step(holding(short), next(-0.2), TERMS))).toEqual(['sell 59']);
  });
});

describe('an instrument that an event stops', () => {
  const halt = { event: 'spin_off', date: '2026-08-15' as IsoDate, until: '2026-09-15' as IsoDate } as const;
  it('is neither bought nor sold, and says which event stops it and for how long', () => {
    const bought = step(deployment(), target({ AAA: 0.4 }, PRICES), under({ halt }));
    expect([bought.orders, bought.refusals]).toEqual([
      [],
      [{ symbol: AAA, code: 'security_event', ...halt }],
    ]);
    expect(outcome(step(holding(), next(0), under({ halt })))).toEqual(['security_event']);
    const undated = { ...halt, date: '9999-12-31' as IsoDate, until: '9999-12-31' as IsoDate };
    expect(step(holding(), next(0), under({ halt: undated })).refusals).toEqual([
      { symbol: AAA, code: 'security_event', event: 'spin_off', date: null, until: null },
    ]);
  });
});

describe('steps', () => {
  const fraction = { quantityStep: toQuantity(0.001) };
  it('are whole units where no fraction is traded', () => {
    const wanted = target({ AAA: 0.4055 }, PRICES);
    expect(outcome(step(deployment(), wanted, under({}, fraction)))).toEqual(['buy 40.55']);
    expect(outcome(step(deployment(), wanted, under({ isFractionable: false }, fraction)))).toEqual([
      'buy 40',
    ]);
    expect(orderStep({ quantityStep: toQuantity(100), terms: { isFractionable: false } })).toBe(
      toQuantity(100),
    );
  });

  it('of a price are ticks, where decimals do not say so', () => {
    expect(quotedBeyond(103.04, 'down', { ...SHARE, terms: { priceTick: 0.05 } })).toBe(103);
    expect(quotedBeyond(96.96, 'up', { ...SHARE, terms: { priceTick: 0.05 } })).toBe(97);
  });
});

describe('more units than one quantity can hold', () => {
  const rich = { cash: toMicro(10_000_000), realized: toMicro(0), positions: new Map() };
  it('are refused instead of ordered', () => {
    const state = deployment({ portfolio: rich });
    expect(outcome(step(state, target({ AAA: 0.9 }, { AAA: 0.1 }), TERMS))).toEqual(['buy 90000000']);
    expect(outcome(step(state, target({ AAA: 0.95 }, { AAA: 0.1 }), TERMS))).toEqual(['quantity_too_large']);
    expect(outcome(step(state, target({ AAA: 0.95 }, { AAA: 1e-7 }), TERMS))).toEqual(['quantity_too_large']);
  });
});
