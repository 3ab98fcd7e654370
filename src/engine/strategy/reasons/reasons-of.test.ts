import { describe, expect, test } from 'vitest';
import { randomSeries, seriesMap } from '#tests/support/engine/random-market.ts';
import {
  definitionOf,
  SAMPLE_DEFINITIONS,
  SAMPLE_SYMBOLS,
} from '#tests/support/engine/sample-definitions.ts';
import type { Symbol } from '#units/identifiers.ts';
import type { Instant } from '#units/instant.ts';
import type { BarSeries } from '../../market/bar-series.ts';
import { evaluate } from '../evaluate.ts';
import type { TargetReason } from './target-reason.ts';

const BARS = 160;
const series = seriesMap(
  ...SAMPLE_SYMBOLS.map((symbol, i) => randomSeries({ symbol, seed: 11 + i, bars: BARS })),
);
const closes = series.get(SAMPLE_SYMBOLS[0]!)!.closedAt;

function reasonsAt(definition: (typeof SAMPLE_DEFINITIONS)[string], bar: number) {
  const target = evaluate(definition, series, closes[bar]! as Instant);
  return { target, instruments: target.receipt.instruments };
}

const ENTERED = { entered_long: 'enterLong', entered_short: 'enterShort' } as const;
const LEFT = { exited_long: 'exitLong', exited_short: 'exitShort' } as const;
const SIGNALS: { readonly [verdict: string]: string } = { ...ENTERED, ...LEFT };

describe.each(Object.entries(SAMPLE_DEFINITIONS))('%s', (_, definition) => {
  test('each verdict has a reason whose numbers bear it out, at every close', () => {
    let checked = 0;
    for (let bar = 40; bar < BARS; bar += 7) {
      const { instruments } = reasonsAt(definition, bar);
      for (const { verdict, reasons, decidedAt, weight } of instruments) {
        const signal = SIGNALS[verdict];
        if (signal !== undefined) {
          const found = reasons.find(
            (one) => one.code === 'signal' && one.signal === signal && one.at === decidedAt,
          );
          expect(found).toMatchObject({ holds: true });
          checked++;
        }
        if (verdict === 'stop' || verdict === 'target' || verdict === 'max_bars') {
          const exit = reasons.find(({ code }) => code === 'exit') as Extract<TargetReason, { code: 'exit' }>;
          expect(exit.value).toBeGreaterThanOrEqual(exit.limit);
          checked++;
        }
        const ranked = reasons.find(({ code }) => code === 'ranked') as
          | Extract<TargetReason, { code: 'ranked' }>
          | undefined;
        if (verdict === 'ranked_top') expect(ranked!.place).toBeLessThanOrEqual(ranked!.top);
        if (verdict === 'not_ranked') expect(ranked!.place).toBeGreaterThan(ranked!.top);
        if (verdict === 'ranked_bottom') expect(ranked!.place).toBeGreaterThan(ranked!.of - ranked!.bottom);
        if (ranked) checked++;
        const spread = reasons.find((one) => one.code === 'spread' && one.at === decidedAt) as
          | Extract<TargetReason, { code: 'spread' }>
          | undefined;
        if (verdict === 'spread_low') expect(spread!.value).toBeLessThanOrEqual(-spread!.enterAt);
        if (verdict === 'spread_high') expect(spread!.value).toBeGreaterThanOrEqual(spread!.enterAt);
        if (spread) checked++;
        if (weight !== 0) expect(reasons.length).toBeGreaterThan(0);
      }
    }
    expect(checked).toBeGreaterThan(0);
  });

  test('a receipt is plain data: kept as JSON it is the same', () => {
    const { target } = reasonsAt(definition, BARS - 1);
    expect(JSON.parse(JSON.stringify(target.receipt))).toEqual(target.receipt);
  });
});

function flat(symbol: string, prices: readonly number[]): BarSeries {
  const close = Float64Array.from(prices);
  const closedAt = Float64Array.from(prices, (_, i) => Date.UTC(2024, 0, 2 + i, 21));
  const columns = { open: close, high: close, low: close, close, volume: close };
  return { symbol: symbol as Symbol, interval: '1d', length: close.length, closedAt, ...columns };
}

test('what is held names what bought it, with the numbers of that day, and what would sell it', () => {
  const definition = definitionOf({
    universe: ['AAA'],
    features: { mean: { indicator: 'sma', length: 2 } },
    rule: {
      type: 'signals',
      enterLong: { op: 'above', left: 'close', right: 'mean' },
      exitLong: { op: 'below', left: 'close', right: 'mean' },
    },
  });
  const bars = flat('AAA', [10, 10, 11, 12]);
  const at = (bar: number) => bars.closedAt[bar]! as Instant;
  const held = evaluate(definition, seriesMap(bars), at(3)).receipt.instruments[0]!;
  expect(held).toMatchObject({ weight: 1, weightBefore: 1 });
  expect(held.reasons).toEqual([
    {
      code: 'signal',
      signal: 'enterLong',
      holds: true,
      at: at(2),
      tests: [{ op: 'above', left: 'close', right: 'mean', leftValue: 11, rightValue: 10.5, holds: true }],
    },
    {
      code: 'signal',
      signal: 'exitLong',
      holds: false,
      at: at(3),
      tests: [{ op: 'below', left: 'close', right: 'mean', leftValue: 12, rightValue: 11.5, holds: false }],
    },
  ]);
  const bought = evaluate(definition, seriesMap(bars), at(2)).receipt.instruments[0]!;
  expect(bought).toMatchObject({ weight: 1, weightBefore: 0 });
});
