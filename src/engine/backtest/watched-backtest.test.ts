import { expect, it } from 'vitest';
import { toMicro } from '#units/money.ts';
import {
  equityInstrument,
  instrumentMap,
  randomSeries,
  seriesMap,
} from '#tests/support/engine/random-market.ts';
import { SAMPLE_DEFINITIONS, SAMPLE_SYMBOLS } from '#tests/support/engine/sample-definitions.ts';
import { flatCosts } from '../market/costs.ts';
import { backtest } from './backtest.ts';

const input = (name: string) => ({
  definition: SAMPLE_DEFINITIONS[name]!,
  instruments: instrumentMap(...SAMPLE_SYMBOLS.map(equityInstrument)),
  series: seriesMap(...SAMPLE_SYMBOLS.map((symbol, i) => randomSeries({ symbol, seed: 70 + i, bars: 600 }))),
  settings: {
    initialCash: toMicro(100_000),
    costs: flatCosts({ commissionRate: 0.001, slippageRate: 0.0005 }),
    limits: { stopLossPercentage: 0, maxAllocationPercent: 0, freezeOnDrawdownPercent: 0 },
    collar: 0.03,
    noTradeBand: 0.01,
  },
});

it.each(Object.keys(SAMPLE_DEFINITIONS))(
  'whoever watches sees what will stand, and changes nothing: %s',
  (name) => {
    const seen: { readonly done: number; readonly values: readonly number[] }[] = [];
    const watched = backtest(input(name), {
      watch: ({ equity, done }) => seen.push({ done, values: [...equity.subarray(0, done)] }),
    });
    expect(seen.length).toBeGreaterThan(2);
    expect(seen.map(({ done }) => done)).toEqual(seen.map(({ done }) => done).toSorted((a, b) => a - b));
    for (const { done, values } of seen) expect(values).toEqual([...watched.equity.subarray(0, done)]);
    const alone = backtest(input(name));
    expect(watched.equity).toEqual(alone.equity);
    expect(watched.fills).toEqual(alone.fills);
  },
);
