import { describe, expect, it } from 'vitest';
import { definitionHash } from '../definition-hash.ts';
import { parseDefinition } from './parse-definition.ts';

const TREND = {
  language: 'bellwether-strategy/1',
  name: 'Trend',
  universe: ['AAA', 'BBB'],
  benchmark: 'AAA',
  features: { fast: { indicator: 'sma', length: 20 }, slow: { indicator: 'sma', length: 50 } },
  rule: {
    type: 'signals',
    enterLong: { op: 'crosses_above', left: 'fast', right: 'slow' },
    exitLong: { op: 'crosses_below', left: 'fast', right: 'slow' },
  },
};

function errorsOf(value: unknown): string[] {
  const parsed = parseDefinition(value);
  return parsed.ok ? [] : parsed.errors.map(({ path, message }) => `${path}: ${message}`);
}

describe('a definition', () => {
  it('is completed with its defaults', () => {
    const parsed = parseDefinition(TREND);
    expect(parsed.ok && parsed.definition).toMatchObject({
      notes: '',
      schedule: { every: 'day' },
      direction: 'long',
      weighting: { type: 'equal', over: 'universe' },
      gross: 1,
      exits: {},
      periodsPerYear: 252,
    });
  });

  it('parses to itself, so that its hash is its identity', () => {
    const first = parseDefinition(TREND);
    if (!first.ok) throw new Error('does not parse');
    const again = parseDefinition(JSON.parse(JSON.stringify(first.definition)));
    expect(again).toEqual(first);
    const other = parseDefinition({ ...TREND, gross: 0.5 });
    expect(other.ok && definitionHash(other.definition)).not.toBe(definitionHash(first.definition));
  });

  it('reads bars shorter than a day where it names them, and is looked at on each', () => {
    const parsed = parseDefinition({ ...TREND, interval: '5m' });
    expect(parsed.ok && parsed.definition).toMatchObject({ interval: '5m', schedule: { every: 'bar' } });
  });

  it('is the same strategy whether it says that a bar is a day or leaves it out', () => {
    const [said, silent] = [parseDefinition({ ...TREND, interval: '1d' }), parseDefinition(TREND)];
    expect(said).toEqual(silent);
  });

  it.each([
    [{ interval: '2m' }, 'interval: '],
    [{ interval: 5 }, 'interval: '],
    [{ schedule: { every: 'bar' } }, 'schedule.every: '],
    [
      { interval: '1h', options: { structure: 'covered_call', underlyings: ['AAA'], strikePercent: 105 } },
      'options: ',
    ],
  ])('refuses %j', (change, place) => {
    expect(errorsOf({ ...TREND, ...change }).join('; ')).toContain(place);
  });

  it('names the place of every error', () => {
    const wrong = {
      ...TREND,
      universe: ['AAA', 'aaa'],
      features: {
        fast: { indicator: 'sma', length: 0 },
        slow: { indicator: 'sma', length: 50, colour: 'red' },
      },
      rule: { ...TREND.rule, exitLong: { op: 'crosses_below', left: 'fast', right: 'medium' } },
      gross: 2,
    };
    expect(errorsOf(wrong)).toEqual([
      'universe[1]: must be a symbol: 1 to 20 capital letters, digits, dots or hyphens',
      'features.fast.length: must be a whole number from 1 to 2000',
      expect.stringMatching(/^features\.slow\.colour: is not known here/),
      'rule.exitLong.right: must be a number or one of open, high, low, close, volume, fast, slow',
      'gross: must be a number from 0.01 to 1',
    ]);
  });

  it('cannot look ahead: a lag is never negative', () => {
    const features = { ...TREND.features, fast: { indicator: 'sma', length: 20, lag: -1 } };
    expect(errorsOf({ ...TREND, features })).toEqual([
      'features.fast.lag: must be a whole number from 0 to 1000',
    ]);
  });

  it('sells short only where its direction says so', () => {
    const rule = { ...TREND.rule, enterShort: TREND.rule.exitLong };
    expect(errorsOf({ ...TREND, rule })).toEqual(["rule.enterShort: needs direction 'long_short'"]);
    expect(errorsOf({ ...TREND, rule, direction: 'long_short' })).toEqual([]);
    expect(errorsOf({ ...TREND, rule: { type: 'ranking', by: 'fast', top: 1, bottom: 1 } })).toEqual([
      "rule.bottom: needs direction 'long_short'",
    ]);
  });

  it('borrows nothing: fixed weights add up to at most 1', () => {
    const weighting = { type: 'fixed', weights: { AAA: 0.7, BBB: 0.4 } };
    expect(errorsOf({ ...TREND, weighting })).toEqual([
      'weighting.weights: add up to more than 1: nothing is borrowed',
    ]);
  });

  it('is bounded in what it costs to compute', () => {
    const universe = Array.from({ length: 500 }, (_, i) => `S${i}`);
    const features = Object.fromEntries(
      Array.from({ length: 20 }, (_, i) => [`f${i}`, { indicator: 'sma', length: 10 + i }]),
    );
    const rule = { type: 'signals', enterLong: { op: 'above', left: 'close', right: 'f1' } };
    expect(errorsOf({ ...TREND, universe, features, rule })).toEqual([
      expect.stringMatching(/^features: universe/),
    ]);
  });

  it('keeps conditions shallow', () => {
    let enterLong: object = { op: 'above', left: 'close', right: 1 };
    for (let depth = 0; depth < 8; depth++) enterLong = { op: 'not', of: enterLong };
    expect(errorsOf({ ...TREND, rule: { type: 'signals', enterLong } })).toContainEqual(
      expect.stringMatching(/nested deeper than 6/),
    );
  });

  it.each([null, 7, 'text', [], {}])('refuses %j without throwing', (value) => {
    expect(errorsOf(value).length).toBeGreaterThan(0);
  });

  it('wants pairs of two different members of the universe', () => {
    const rule = {
      type: 'pairs',
      pairs: [
        { first: 'AAA', second: 'AAA' },
        { first: 'AAA', second: 'ZZZ' },
      ],
      spread: 'log_ratio',
      length: 30,
      enterAt: 2,
      exitAt: 2,
    };
    expect(errorsOf({ ...TREND, rule, direction: 'long_short' })).toEqual([
      'rule.pairs[0]: needs two different symbols',
      'rule.pairs[1]: ZZZ is not in the universe',
      'rule.exitAt: must be less than enterAt',
    ]);
  });
});
