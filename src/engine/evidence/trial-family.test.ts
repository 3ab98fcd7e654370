import { describe, expect, it } from 'vitest';
import { definitionOf, SAMPLE_DEFINITIONS } from '#tests/support/engine/sample-definitions.ts';
import {
  cryptoInstrument,
  equityInstrument,
  instrumentMap,
  randomFrom,
} from '#tests/support/engine/random-market.ts';
import { DAY_MS, type Instant } from '#units/instant.ts';
import { type Candidate, type CountedTry, familyOf, searchKind } from './trial-family.ts';
import { weeklyCorrelation, weeklyGrowth } from './weekly-growth.ts';

const growth = (seed: number, share = 0) => {
  const [own, common] = [randomFrom(seed), randomFrom(99)];
  return Float32Array.from(
    { length: 260 },
    () => share * (common() - 0.5) + Math.sqrt(1 - share * share) * (own() - 0.5),
  );
};
const weekly = (seed: number, share = 0) => ({ firstWeek: 2_600, growth: growth(seed, share) });

const candidate: Candidate = {
  strategyId: 'mine',
  markets: ['equity'],
  ruleKinds: ['trend'],
  weekly: weekly(1),
};
const tried = (change: Partial<CountedTry>): CountedTry => ({
  strategyId: 'other',
  markets: ['equity'],
  ruleKinds: ['trend'],
  sharpe: 0.05,
  weekly: null,
  ...change,
});

describe('a try joins the family', () => {
  const joined = (one: Partial<CountedTry>) => familyOf(candidate, [tried(one)]).tries === 1;

  it('by what is traded and the kind of rule, in any draft', () => {
    expect(joined({})).toBe(true);
    expect(joined({ markets: ['crypto'] })).toBe(false);
    expect(joined({ ruleKinds: ['momentum'] })).toBe(false);
  });

  it('also with a further condition, or one coin among the shares', () => {
    expect(joined({ ruleKinds: ['trend', 'reversion'] })).toBe(true);
    expect(joined({ markets: ['crypto', 'equity'] })).toBe(true);
  });

  it('of the same strategy, whatever an earlier version did', () => {
    expect(joined({ strategyId: 'mine', markets: ['forex'], ruleKinds: ['pairs'] })).toBe(true);
  });

  it('by returns that are nearly the same, whatever its rule and market', () => {
    const [alike, distant] = [weekly(2, 0.95), weekly(2, 0.5)];
    const near = { ...candidate, weekly: weekly(3, 0.95) };
    const elsewhere = { markets: ['forex'], ruleKinds: ['pairs'] } as const;
    expect(familyOf(near, [tried({ ...elsewhere, weekly: alike })])).toMatchObject({
      tries: 1,
      byReturns: 1,
    });
    expect(familyOf(near, [tried({ ...elsewhere, weekly: distant })])).toMatchObject({
      tries: 0,
      byReturns: 0,
    });
  });
});

it('counts each further kind as one try more, and takes no Sharpe ratio of it', () => {
  const tries = [
    tried({ strategyId: 'mine', sharpe: 0.1 }),
    tried({ sharpe: null }),
    ...Array.from({ length: 9 }, () => tried({ ruleKinds: ['momentum'], sharpe: 9 })),
    tried({ ruleKinds: ['momentum'], markets: ['crypto'] }),
  ];
  const family = familyOf(candidate, tries);
  expect(family).toMatchObject({ tries: 2, strategies: 2, furtherKinds: 2 });
  expect(family.ledger).toEqual({ count: 4, sharpes: Float64Array.of(0.1) });
});

it('a basket of almost the same symbols is the same search, under another name too', () => {
  const instruments = instrumentMap(
    ...['AAA', 'BBB', 'CCC', 'DDD'].map(equityInstrument),
    cryptoInstrument('BTCUSD'),
  );
  const { universe: _, ...rest } = SAMPLE_DEFINITIONS['trend']!;
  const kindOf = (universe: string[]) =>
    searchKind(definitionOf({ ...rest, name: 'N', universe }), instruments);
  expect(kindOf(['AAA', 'BBB', 'CCC'])).toEqual(kindOf(['AAA', 'BBB', 'DDD']));
  expect(kindOf(['AAA', 'BTCUSD'])).toEqual({ markets: ['crypto', 'equity'], ruleKinds: ['trend'] });
});

describe('growth by week', () => {
  const first = Date.UTC(2024, 0, 1) + DAY_MS;
  const rows = (days: readonly number[]) => ({
    timeline: Float64Array.from(days, (day) => first + day * DAY_MS),
    equity: Float64Array.from(days, (day) => 100 + day),
  });

  it('is from the last close of a week to that of the next, and zero without bars', () => {
    const found = weeklyGrowth(rows([0, 3, 6, 7, 8, 21]), Infinity as Instant)!;
    expect([...found.growth]).toEqual(
      [0, 108 / 106 - 1, 0, 121 / 108 - 1].map((value) => Math.fround(value)),
    );
  });

  it('ends at the moment up to which it is asked for', () => {
    const until = (first + 8 * DAY_MS) as Instant;
    expect(weeklyGrowth(rows([0, 7, 8, 14, 21]), until)).toEqual(
      weeklyGrowth(rows([0, 7, 8]), Infinity as Instant),
    );
    expect(weeklyGrowth(rows([0, 1]), Infinity as Instant)).toBeNull();
  });

  it('is compared over the weeks that both have, from a year on', () => {
    const whole = weekly(5);
    const late = { firstWeek: 2_700, growth: whole.growth.slice(100) };
    expect(weeklyCorrelation(whole, late)).toBeCloseTo(1, 12);
    expect(weeklyCorrelation(whole, { firstWeek: 2_820, growth: whole.growth })).toBeNull();
    expect(weeklyCorrelation(whole, { firstWeek: 2_600, growth: new Float32Array(260) })).toBeNull();
  });
});
