import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { randomSeries, seriesMap } from '#tests/support/engine/random-market.ts';
import { definitionOf } from '#tests/support/engine/sample-definitions.ts';
import type { Symbol } from '#units/identifiers.ts';
import { type Instant, instantOfDate } from '#units/instant.ts';
import type { BarSeries } from '../../market/bar-series.ts';
import { compileDefinition } from '../compile-definition.ts';
import { evaluate } from '../evaluate.ts';

function closes(symbol: string, prices: readonly number[], volume: readonly number[] = prices): BarSeries {
  const close = Float64Array.from(prices);
  const closedAt = Float64Array.from(
    prices,
    (_, i) => instantOfDate('2024-01-29') + i * 86_400_000 + 75_600_000,
  );
  const columns = { open: close, high: close, low: close, close, volume: Float64Array.from(volume) };
  return { symbol: symbol as Symbol, interval: '1d', length: close.length, closedAt, ...columns };
}

/** The weights after each bar, in the order of the universe. */
function weightsOf(definition: Parameters<typeof compileDefinition>[0], ...series: readonly BarSeries[]) {
  const { table } = compileDefinition(definition, seriesMap(...series));
  const width = table.symbols.length;
  let line = -1;
  return Array.from(table.timeline, (_, t) => {
    if (line + 1 < table.count && table.rows[line + 1] === t) line++;
    return line < 0
      ? Array<number>(width).fill(0)
      : Array.from(table.weights.subarray(line * width, (line + 1) * width));
  });
}

const HOLD = { type: 'signals', enterLong: { op: 'above', left: 'close', right: 0 } };

describe('a regime', () => {
  const definition = (otherwise: object) =>
    definitionOf({
      universe: ['AAA', 'BBB'],
      features: { level: { indicator: 'sma', length: 1 } },
      rule: HOLD,
      weighting: { type: 'equal', over: 'held' },
      regime: { symbol: 'SPY', when: { op: 'above', left: 'level', right: 100 }, otherwise },
    });
  const flat = [10, 10, 10, 10, 10];
  const market = closes('SPY', [101, 101, 99, 99, 101]);

  it('holds nothing while its condition does not hold, and takes the rule up again', () => {
    const weights = weightsOf(definition({ type: 'cash' }), closes('AAA', flat), closes('BBB', flat), market);
    expect(weights).toEqual([
      [0, 0],
      [0.5, 0.5],
      [0, 0],
      [0, 0],
      [0.5, 0.5],
    ]);
  });

  it('has another rule count in its place', () => {
    const rule = { type: 'ranking', by: 'level', top: 1 };
    const weights = weightsOf(
      definition(rule),
      closes('AAA', flat),
      closes('BBB', [9, 9, 9, 12, 12]),
      market,
    );
    expect(weights.slice(1)).toEqual([
      [0.5, 0.5],
      [1, 0],
      [0, 1],
      [0.5, 0.5],
    ]);
  });

  it('is not known before it has bars, nor long after its last one: then nothing is held', () => {
    const own = [closes('AAA', Array<number>(14).fill(10)), closes('BBB', Array<number>(14).fill(10))];
    const weights = weightsOf(
      definition({ type: 'ranking', by: 'level', top: 1 }),
      ...own,
      closes('SPY', [101, 101]),
    );
    expect(weights.map(([first]) => first)).toEqual([0, ...Array<number>(11).fill(0.5), 0, 0]);
  });

  it('says what it saw, and stands aside by name', () => {
    const series = [closes('AAA', flat), closes('BBB', flat), market];
    const { receipt } = evaluate(
      definition({ type: 'cash' }),
      seriesMap(...series),
      market.closedAt[3]! as Instant,
    );
    expect(receipt.instruments[0]).toMatchObject({
      verdict: 'stands_aside',
      reasons: [
        {
          code: 'regime',
          symbol: 'SPY',
          holds: false,
          otherwise: 'cash',
          tests: [{ left: 'level', leftValue: 99, right: 100, rightValue: 100, holds: false }],
        },
      ],
    });
  });
});

describe('a basket', () => {
  it('is of the most traded, chosen again where the rules are looked at', () => {
    const definition = definitionOf({
      universe: ['AAA', 'BBB', 'CCC'],
      rule: HOLD,
      basket: { by: 'turnover', length: 2, most: 2 },
    });
    const price = [10, 10, 10, 10];
    const weights = weightsOf(
      definition,
      closes('AAA', price, [5, 5, 5, 5]),
      closes('BBB', price, [4, 4, 4, 4]),
      closes('CCC', price, [1, 1, 9, 9]),
    );
    // Half of the money each: the basket is the whole.
    expect(weights.slice(1)).toEqual([
      [0.5, 0.5, 0],
      [0.5, 0, 0.5],
      [0.5, 0, 0.5],
    ]);
  });
});

describe('sizes by conviction', () => {
  const definition = definitionOf({
    universe: ['AAA', 'BBB', 'CCC'],
    features: { score: { indicator: 'sma', length: 1, of: 'volume' } },
    rule: HOLD,
    weighting: { type: 'conviction', by: 'score', maxPercent: 60 },
    gross: 0.9,
  });
  const price = [10, 10];

  it('are in proportion to the feature; what the cap cuts off stays in cash', () => {
    const sized = (...scores: readonly number[]) =>
      weightsOf(
        definition,
        ...['AAA', 'BBB', 'CCC'].map((symbol, i) => closes(symbol, price, [scores[i]!, scores[i]!])),
      )[1]!.map((weight) => Math.round(weight * 1_000) / 1_000);
    expect(sized(1, 2, 3)).toEqual([0.15, 0.3, 0.45]);
    expect(sized(0, 1, 8)).toEqual([0, 0.1, 0.6]);
    expect(sized(0, 0, 0)).toEqual([0, 0, 0]);
  });
});

describe('a band', () => {
  const definition = definitionOf({
    universe: ['AAA', 'BBB'],
    schedule: { every: 'bars', count: 1 },
    rule: HOLD,
    band: { percent: 5 },
  });

  it('leaves alone what prices moved by less, and restores what they moved by more', () => {
    const aaa = closes('AAA', [10, 10, 11, 13, 13]);
    const bbb = closes('BBB', [10, 10, 10, 10, 10]);
    const { table } = compileDefinition(definition, seriesMap(aaa, bbb));
    // 0.5 became 0.524 at the third bar, 0.565 at the fourth.
    expect([...table.rows]).toEqual([1, 3]);
    const { receipt, rebalance } = evaluate(definition, seriesMap(aaa, bbb), aaa.closedAt[2]! as Instant);
    expect(rebalance).toBe(false);
    expect(receipt.instruments[0]!.reasons.at(-1)).toMatchObject({
      code: 'band',
      percent: 5,
      wanted: 0.5,
      held: expect.closeTo(0.5238, 4),
    });
  });

  it('never asks for more than the rule does, and trades what is opened or left at once', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9_999 }), fc.constantFrom(0.5, 2, 10, 40), (seed, percent) => {
        const banded = definitionOf({
          universe: ['AAA', 'BBB', 'CCC'],
          schedule: { every: 'week' },
          features: { fast: { indicator: 'roc', length: 5 } },
          rule: { type: 'ranking', by: 'fast', top: 2 },
          weighting: { type: 'inverse_volatility', length: 10 },
          gross: 0.8,
          band: { percent },
        });
        const series = seriesMap(
          ...['AAA', 'BBB', 'CCC'].map((symbol, i) => randomSeries({ symbol, seed: seed + i, bars: 150 })),
        );
        const { band: _, ...plain } = banded;
        const [tight, loose] = [
          compileDefinition(plain, series).table,
          compileDefinition(banded, series).table,
        ];
        expect(loose.count).toBeLessThanOrEqual(tight.count);
        for (let line = 0; line < loose.count; line++) {
          const own = loose.weights.slice(line * 3, line * 3 + 3);
          expect(own.reduce((sum, weight) => sum + Math.abs(weight), 0)).toBeLessThanOrEqual(0.8 + 1e-6);
          const at = tight.rows.indexOf(loose.rows[line]!);
          const wanted = tight.weights.slice(at * 3, at * 3 + 3);
          expect(own.map((weight) => Math.sign(weight))).toEqual(wanted.map((weight) => Math.sign(weight)));
        }
      }),
      { numRuns: 30 },
    );
  });
});
