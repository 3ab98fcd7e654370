import { describe, expect, it } from 'vitest';
import { definitionHash } from '../definition-hash.ts';
import { parseDefinition } from './parse-definition.ts';

const PLAIN = {
  language: 'bellwether-strategy/1',
  name: 'Plain',
  universe: ['AAA', 'BBB'],
  benchmark: 'AAA',
  features: {
    fast: { indicator: 'sma', length: 20 },
    slow: { indicator: 'sma', length: 50 },
    heat: { indicator: 'rsi', length: 14 },
    money: { indicator: 'turnover', length: 20 },
  },
  rule: { type: 'signals', enterLong: { op: 'above', left: 'fast', right: 'slow' } },
};

function errorsOf(value: unknown): string[] {
  const parsed = parseDefinition(value);
  return parsed.ok ? [] : parsed.errors.map(({ path, message }) => `${path}: ${message}`);
}

const withFeature = (feature: object) => ({ ...PLAIN, features: { ...PLAIN.features, made: feature } });
const combine = (op: string, left: unknown, right: unknown) =>
  withFeature({ indicator: 'combine', op, left, right });

describe('arithmetic between features', () => {
  it.each([
    ['difference', 'fast', 'slow'],
    ['difference', 'close', 12],
    ['ratio', 'close', 'slow'],
    ['ratio', 'money', 1_000_000],
    ['spread', 'fast', 'slow'],
  ])('takes %s of %j and %j', (op, left, right) => {
    expect(errorsOf(combine(op, left, right))).toEqual([]);
  });

  it.each([
    ['difference', 'fast', 'heat', 'a price and points from 0 to 100'],
    ['difference', 'close', 'volume', 'a price and a volume'],
    ['ratio', 'money', 'volume', 'an amount of money and a volume'],
    ['ratio', 1, 'close', 'a plain number and a price'],
    ['spread', 'heat', 'close', 'points from 0 to 100 and a price'],
  ])('refuses %s of %j and %j: their units differ', (op, left, right, units) => {
    expect(errorsOf(combine(op, left, right))).toEqual([
      `features.made: is a ${op} of ${units}, which are of different units`,
    ]);
  });

  it('names the side that does not exist', () => {
    expect(errorsOf(combine('ratio', 'close', 'constructor'))).toEqual([
      'features.made.right: must be a number or one of open, high, low, close, volume, fast, slow, heat, money, made',
    ]);
  });

  it('cannot read itself, neither at once nor in a circle, in whichever order they are named', () => {
    const circle = {
      one: { indicator: 'combine', op: 'ratio', left: 'two', right: 2 },
      two: { indicator: 'combine', op: 'ratio', left: 'one', right: 2 },
    };
    expect(errorsOf({ ...PLAIN, features: { ...PLAIN.features, ...circle } }).join('; ')).toMatch(
      /features\.one: reads itself.*features\.two: reads itself/,
    );
    expect(errorsOf(combine('ratio', 'made', 2)).join()).toMatch(/features\.made: reads itself/);
  });

  it('is compared with its own unit only; rules of before compare what they like', () => {
    const rule = (right: string) => ({ type: 'signals', enterLong: { op: 'above', left: 'made', right } });
    const made = combine('spread', 'fast', 'slow');
    expect(errorsOf({ ...made, rule: rule('heat') })).toEqual([
      'rule.enterLong: compares a return or volatility with points from 0 to 100, which are of different units',
    ]);
    const old = { type: 'signals', enterLong: { op: 'above', left: 'heat', right: 'close' } };
    expect(errorsOf({ ...PLAIN, rule: old })).toEqual([]);
  });

  it('has no instrument and no week of its own: what it reads has them', () => {
    const errors = errorsOf(
      withFeature({ indicator: 'combine', op: 'ratio', left: 'fast', right: 'slow', every: 'week' }),
    );
    expect(errors).toEqual([expect.stringMatching(/^features\.made\.every: is not known here/)]);
  });
});

describe('weeks and months', () => {
  it('are named by a feature, and count in what it costs to look back', () => {
    expect(errorsOf(withFeature({ indicator: 'sma', length: 40, every: 'week' }))).toEqual([]);
    expect(errorsOf(withFeature({ indicator: 'sma', length: 200, every: 'month' }))).toEqual([
      'features.made: looks back more than 3000 bars',
    ]);
  });

  it.each([
    [{ indicator: 'correlation', length: 20, with: 'BBB', every: 'week' }],
    [{ indicator: 'month_return', months: 2, skip: 1, every: 'month' }],
    [{ indicator: 'sma', length: 20, every: 'year' }],
  ])('refuses %j', (feature) => {
    expect(errorsOf(withFeature(feature))).toEqual([expect.stringMatching(/^features\.made\.every: /)]);
  });
});

describe('what acts on the whole rule', () => {
  const regime = { symbol: 'SPY', when: { op: 'above', left: 'close', right: 'slow' } };

  it('is completed: a regime without another rule holds cash', () => {
    const parsed = parseDefinition({ ...PLAIN, regime });
    expect(parsed.ok && parsed.definition.regime).toMatchObject({ otherwise: { type: 'cash' } });
  });

  it('is part of the hash, and a definition without it keeps the hash that it always had', () => {
    const hash = (value: object) => {
      const parsed = parseDefinition(value);
      if (!parsed.ok) throw new Error(JSON.stringify(parsed.errors));
      return definitionHash(parsed.definition);
    };
    const parts = [
      {},
      { regime },
      { basket: { by: 'turnover', length: 20, most: 1 } },
      { band: { percent: 2 } },
      { weighting: { type: 'conviction', by: 'fast' } },
    ];
    expect(new Set(parts.map((part) => hash({ ...PLAIN, ...part }))).size).toBe(parts.length);
    // Written down before any of these parts existed.
    const { money: _, ...features } = PLAIN.features;
    expect(hash({ ...PLAIN, features })).toBe(
      '49d9fdfbee6fb0162593f804125c3aed47cfbb479d2f14ee20a7f3bee2623d21',
    );
  });

  it.each([
    [{ regime: { ...regime, when: { op: 'crosses_above', left: 'close', right: 'slow' } } }, 'regime.when: '],
    [{ regime: { ...regime, otherwise: { type: 'pairs' } } }, 'regime.otherwise.type: '],
    [{ regime: { ...regime, otherwise: { type: 'ranking', by: 'none', top: 1 } } }, 'regime.otherwise.by: '],
    [
      { regime: { ...regime, otherwise: { type: 'ranking', by: 'fast', top: 1 } }, exits: { maxBars: 3 } },
      'exits: ',
    ],
    [{ basket: { by: 'size', length: 20, most: 1 } }, 'basket.by: '],
    [{ basket: { by: 'turnover', length: 20, most: 3 } }, 'basket.most: '],
    [{ band: { percent: 0 } }, 'band.percent: '],
    [{ band: { points: 2 } }, 'band.points: '],
    [{ weighting: { type: 'conviction', by: 'close' } }, 'weighting.by: '],
    [{ weighting: { type: 'conviction', by: 'fast', maxPercent: 0 } }, 'weighting.maxPercent: '],
  ])('names the part in %j', (change, place) => {
    expect(errorsOf({ ...PLAIN, ...change }).join('; ')).toContain(place);
  });
});
