import { isDeepStrictEqual } from 'node:util';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { toMicro } from '#units/money.ts';
import { type Quantity, toQuantity } from '#units/quantity.ts';
import { MARKETS, randomBacktest, type Shape } from '#tests/support/engine/random-backtest.ts';
import { compileBacktest, rowsOf } from '../backtest.ts';
import { backtestByEvents } from '#tests/support/oracle/backtest-by-events.ts';
import type { BacktestResult } from '../result.ts';
import { vectorizedBacktest } from './vectorized-backtest.ts';

/** Both engines run hundreds of backtests. */
const LONG_MS = 120_000;

const limits = fc.record({
  stopLossPercentage: fc.constantFrom(0, 0, 2, 6),
  maxAllocationPercent: fc.constantFrom(0, 0, 20),
  freezeOnDrawdownPercent: fc.constantFrom(0, 0, 5, 15),
});

const costs = fc
  .record({
    commissionRate: fc.constantFrom(0, 0.002),
    commissionPerContract: fc.constantFrom(0, 0.7),
    slippageRate: fc.constantFrom(0, 0.001),
  })
  .map((one) => ({ equity: one, forex: one, crypto: one, futures: one, options: one }));

const shapes = fc.record({
  market: fc.constantFrom(...MARKETS),
  seed: fc.integer({ min: 1, max: 1_000_000 }),
  days: fc.constantFrom(40, 250, 420),
  swing: fc.constantFrom(0.02, 0.08, 0.3),
  gapEvery: fc.constantFrom(0, 0, 5, 23),
  actionEvery: fc.constantFrom(0, 17, 40),
  badEvery: fc.constantFrom(0, 0, 0, 37),
  barsADay: fc.constantFrom(1 as const, 1 as const, 3 as const),
  definition: fc.nat(20),
  step: fc.constantFrom(toQuantity(1), toQuantity(1), toQuantity(0.001), 1 as Quantity),
  settings: fc.record(
    {
      initialCash: fc.constantFrom(100_000, 1_500, 5_000_000).map(toMicro),
      costs,
      limits,
      collar: fc.constantFrom(0, 0.005, 0.03),
      noTradeBand: fc.constantFrom(0, 0.01),
      fill: fc.constantFrom('next_open' as const, 'same_close' as const),
      units: fc.constantFrom(toQuantity(100), toQuantity(3)),
      orders: fc.constantFrom('collared' as const, 'market' as const),
    },
    { requiredKeys: ['initialCash', 'costs', 'limits', 'collar', 'noTradeBand'] },
  ),
  cut: fc.constantFrom(0, 0, 60),
});

it(
  'gives the same bits as the backtest by events in runs that meet every notice and refusal',
  () => {
    // Of a fixed seed, because luck alone does not bring a margin call into every few hundred markets.
    const seen = compare({ numRuns: 250, seed: 1 });
    expect(seen.fills).toBeGreaterThan(5_000);
    expect(seen.trades).toBeGreaterThan(1_000);
    expect([...seen.notices].sort()).toEqual(['frozen', 'margin_call', 'stop_loss']);
    expect([...seen.refusals].sort()).toEqual(
      expect.arrayContaining([
        'awaiting_sales',
        'below_one_step',
        'frozen',
        'max_allocation',
        'no_cash',
        'order_working',
        'stopped_out',
        'within_band',
      ]),
    );
  },
  LONG_MS,
);

it(
  'gives the same bits as the event-driven backtest for any market, rule and terms',
  () => {
    expect(compare({ numRuns: 150 }).fills).toBeGreaterThan(0);
  },
  LONG_MS,
);

/** Runs both over random input, expects the same of both, and answers what came up. */
function compare(parameters: { readonly numRuns: number; readonly seed?: number }) {
  const seen = { fills: 0, trades: 0, notices: new Set<string>(), refusals: new Set<string>() };
  fc.assert(
    fc.property(shapes, ({ cut, ...shape }) => {
      const { byEvents, vectorized } = bothOf(shape, cut);
      // The matcher is slow on long columns, so it is asked only where something differs.
      if (!isDeepStrictEqual(vectorized, byEvents)) expect(vectorized).toEqual(byEvents);
      if (typeof byEvents === 'string') return;
      seen.fills += byEvents.fills.length;
      seen.trades += byEvents.trades.length;
      for (const { notice } of byEvents.notices) seen.notices.add(notice.type);
      for (const code of Object.keys(byEvents.refusals)) seen.refusals.add(code);
    }),
    parameters,
  );
  return seen;
}

/** What either says of the same input: its result, or the message that it throws. */
function bothOf(shape: Shape, cut: number) {
  const input = randomBacktest(fitting(shape));
  const compiled = compileBacktest(input);
  const whole = rowsOf(input, compiled);
  const rows = { first: Math.min(cut, whole.end), end: Math.max(0, whole.end - (cut > 0 ? 1 : 0)) };
  return {
    byEvents: outcomeOf(() => backtestByEvents(input, compiled, rows)),
    vectorized: outcomeOf(() => vectorizedBacktest(input, compiled, rows)),
  };
}

/** Market orders trade one instrument, and options are not counted in units. */
function fitting(shape: Shape): Shape {
  if (shape.settings.orders === 'market') return { ...shape, market: 'single' };
  const { units: _, ...settings } = shape.settings;
  return shape.market === 'options' ? { ...shape, settings } : shape;
}

function outcomeOf(run: () => BacktestResult): BacktestResult | string {
  try {
    // The vectorized run creates fills and trades only on request.
    const { fills, trades, ...rest } = run();
    return { ...rest, fills, trades };
  } catch (error) {
    if (error instanceof RangeError) return error.message;
    throw error;
  }
}
