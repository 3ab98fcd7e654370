import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { toMicro } from '#units/money.ts';
import { type Quantity, toQuantity } from '#units/quantity.ts';
import { backtestByEvents } from '../backtest-by-events.ts';
import type { BacktestResult } from '../result.ts';
import type { BacktestInput } from '../settings.ts';
import { flatCosts } from '../../market/costs.ts';
import { compileDefinition } from '../../strategy/compile-definition.ts';
import {
  equityInstrument,
  instrumentMap,
  randomSeries,
  seriesMap,
} from '#tests/support/engine/random-market.ts';
import { SAMPLE_DEFINITIONS, SAMPLE_SYMBOLS } from '#tests/support/engine/sample-definitions.ts';
import { backtestByColumns } from './backtest-by-columns.ts';

const inputs = fc.record({
  name: fc.constantFrom(...Object.keys(SAMPLE_DEFINITIONS)),
  seed: fc.integer({ min: 1, max: 100_000 }),
  swing: fc.constantFrom(0.02, 0.08),
  gross: fc.constantFrom(1, 0.6),
  step: fc.constantFrom(toQuantity(1), toQuantity(0.001), 1 as Quantity),
  cash: fc.constantFrom(100_000, 1_500),
  collar: fc.constantFrom(0, 0.005, 0.03),
  noTradeBand: fc.constantFrom(0, 0.01),
  commissionRate: fc.constantFrom(0, 0.002),
  slippageRate: fc.constantFrom(0, 0.001),
  fill: fc.constantFrom('next_open' as const, 'same_close' as const),
  first: fc.constantFrom(0, 90),
  end: fc.constantFrom(200, 199),
});

it('gives the same bits as the backtest by events, whatever the rule and the terms', () => {
  let fills = 0;
  let left = 0;
  const refused = new Set<string>();
  fc.assert(
    fc.property(inputs, ({ name, seed, swing, gross, step, cash, first, end, ...terms }) => {
      const { commissionRate, slippageRate, ...settings } = terms;
      const input: BacktestInput = {
        definition: { ...SAMPLE_DEFINITIONS[name]!, gross },
        instruments: instrumentMap(
          ...SAMPLE_SYMBOLS.map((symbol) => ({ ...equityInstrument(symbol), quantityStep: step })),
        ),
        series: seriesMap(
          ...SAMPLE_SYMBOLS.map((symbol, i) =>
            randomSeries({ symbol, seed: seed * 10 + i, bars: 200, swing }),
          ),
        ),
        settings: {
          ...settings,
          initialCash: toMicro(cash),
          costs: flatCosts({ commissionRate, slippageRate }),
          limits: { stopLossPercent: 0, maxAllocationPercent: 0, freezeOnDrawdownPercent: 0 },
        },
      };
      const compiled = compileDefinition(input.definition, input.series);
      const byColumns = backtestByColumns(input, compiled, { first, end });
      // Near a margin call, which takes a wild market and a short position, it leaves the whole to the events.
      if (byColumns === null) {
        left += 1;
        expect(name).toBe('hedgedPairs');
        return;
      }
      const byEvents = plain(backtestByEvents(input, compiled, { first, end }));
      expect(plain(byColumns)).toEqual(byEvents);
      fills += byEvents.fills.length;
      for (const code of Object.keys(byEvents.refusals)) refused.add(code);
    }),
    { numRuns: 400 },
  );
  expect(left).toBeLessThan(4);
  expect(fills).toBeGreaterThan(2_000);
  expect([...refused].sort()).toEqual(['awaiting_sales', 'below_one_step', 'no_cash', 'within_band']);
});

it('leaves what it does not know to the events', () => {
  const symbol = SAMPLE_SYMBOLS[0]!;
  const input: BacktestInput = {
    definition: { ...SAMPLE_DEFINITIONS['trend']!, universe: [symbol] },
    instruments: instrumentMap(equityInstrument(symbol)),
    series: seriesMap(randomSeries({ symbol, seed: 1, bars: 50 })),
    settings: {
      initialCash: toMicro(1_000),
      costs: flatCosts({ commissionRate: 0, slippageRate: 0 }),
      limits: { stopLossPercent: 5, maxAllocationPercent: 0, freezeOnDrawdownPercent: 0 },
      collar: 0.03,
      noTradeBand: 0,
    },
  };
  const compiled = compileDefinition(input.definition, input.series);
  expect(backtestByColumns(input, compiled, { first: 0, end: 50 })).toBe(null);
});

function plain({ timeline, equity, cash, exposure, fills, trades, ...rest }: BacktestResult) {
  const { counts, refusals, finalEquity } = rest;
  return { timeline, equity, cash, exposure, fills, trades, counts, refusals, finalEquity };
}
