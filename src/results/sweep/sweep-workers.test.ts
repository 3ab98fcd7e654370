import { afterAll, expect, it } from 'vitest';
import { VariantRunner } from '#engine/backtest/variants.ts';
import { flatCosts } from '#engine/market/costs.ts';
import { deepestFall } from '#engine/performance/drawdown.ts';
import { equityInstrument, randomSeries } from '#tests/support/engine/random-market.ts';
import { toMicro } from '#units/money.ts';
import type { SweepTask } from './sweep-messages.ts';
import { startSweepWorkers } from './sweep-workers.ts';

const bars = randomSeries({ symbol: 'AAA', seed: 5, bars: 600 });
const task: SweepTask = {
  template: {
    language: 'bellwether-strategy/1',
    name: 'Sweep',
    universe: ['AAA'],
    benchmark: 'AAA',
    features: { fast: { indicator: 'sma', length: 3 }, slow: { indicator: 'sma', length: 8 } },
    rule: {
      type: 'signals',
      enterLong: { op: 'crosses_above', left: 'fast', right: 'slow' },
      exitLong: { op: 'crosses_below', left: 'fast', right: 'slow' },
    },
  },
  series: [bars],
  instruments: [equityInstrument('AAA')],
  settings: {
    initialCash: toMicro(10_000),
    costs: flatCosts({ commissionRate: 0.001, slippageRate: 0 }),
    limits: { stopLossPercent: 0, maxAllocationPercent: 0, freezeOnDrawdownPercent: 0 },
    collar: 0.03,
    noTradeBand: 0,
  },
};
const sets = Array.from({ length: 600 }, (_, i) => ({
  'features.fast.length': 2 + (i % 30),
  'features.slow.length': 5 + Math.floor(i / 30) + (i % 30),
}));

const many = Array.from({ length: 40 }, () => sets).flat();

const workers = startSweepWorkers(2);
afterAll(() => workers.close());

it('gives the columns of a sweep in one thread, and says how far it is', async () => {
  const seen: number[] = [];
  const outcome = await workers.run(task, sets, { onProgress: (done) => seen.push(done) });
  const { template, settings } = task;
  const instruments = new Map(task.instruments.map((one) => [one.symbol, one]));
  const runner = new VariantRunner(template, {
    instruments,
    series: new Map([[bars.symbol, bars]]),
    settings,
  });
  const alone = sets.map((set) => {
    const run = runner.run(set);
    if (!run.ok) throw new Error(JSON.stringify(run.errors));
    return run.result;
  });
  expect(outcome).toEqual({
    kind: 'done',
    columns: {
      fills: Int32Array.from(alone, ({ counts }) => counts.fills),
      trades: Int32Array.from(alone, ({ counts }) => counts.trades),
      finalEquity: Float64Array.from(alone, ({ finalEquity }) => finalEquity),
      maxDrawdown: Float64Array.from(alone, ({ equity }) => deepestFall(equity)),
    },
  });
  expect(seen.length).toBeGreaterThan(2);
  expect(seen.at(-1)).toBe(sets.length);
});

it('begins no further chunk once it is cancelled', async () => {
  const cancel = new AbortController();
  const outcome = await workers.run(task, many, {
    onProgress: () => cancel.abort(),
    signal: cancel.signal,
  });
  expect(outcome.kind).toBe('cancelled');
  expect(outcome.kind === 'cancelled' && outcome.done).toBeLessThan(many.length);
});

it('names the set that does not parse by its place in the whole sweep', async () => {
  const wrong = [...sets.slice(0, 599), { 'features.fast.length': 0 }];
  const outcome = await workers.run(task, wrong);
  expect(outcome.kind === 'refused' && outcome.errors[0]?.path).toBe('sets.599.features.fast.length');
});

it('leaves the asking thread free while it runs', async () => {
  let turns = 0;
  const turn = setInterval(() => turns++, 1);
  await workers.run(task, many);
  clearInterval(turn);
  expect(turns).toBeGreaterThan(1);
});

it('runs sweeps one after the other, and a failed one does not stop the next', async () => {
  const [failed, empty] = await Promise.allSettled([
    workers.run({ ...task, series: [] }, sets),
    workers.run(task, []),
  ]);
  expect(failed.status === 'rejected' && String(failed.reason)).toContain('no bars given for AAA');
  expect(empty.status === 'fulfilled' && empty.value.kind).toBe('done');
});
