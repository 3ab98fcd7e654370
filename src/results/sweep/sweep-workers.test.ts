import { afterAll, expect, it } from 'vitest';
import { flatCosts } from '#engine/market/costs.ts';
import { parseDefinition } from '#engine/strategy/parsing/parse-definition.ts';
import { equityInstrument, randomSeries } from '#tests/support/engine/random-market.ts';
import { instant } from '#units/instant.ts';
import { toMicro } from '#units/money.ts';
import { type SweepTask, type VariantRun, variantsOf } from './run-variant.ts';
import { startSweepWorkers } from './sweep-workers.ts';

const bars = randomSeries({ symbol: 'AAA', seed: 5, bars: 600 });
const parsed = parseDefinition({
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
});
if (!parsed.ok) throw new Error(JSON.stringify(parsed.errors));
const task: SweepTask = {
  definition: parsed.definition,
  series: new Map([[bars.symbol, bars]]),
  instruments: new Map([[bars.symbol, equityInstrument('AAA')]]),
  settings: {
    initialCash: toMicro(10_000),
    costs: flatCosts({ commissionRate: 0.001, slippageRate: 0 }),
    limits: { stopLossPercentage: 0, maxAllocationPercent: 0, freezeOnDrawdownPercent: 0 },
    collar: 0.03,
    noTradeBand: 0,
    committedAt: instant(bars.closedAt.at(-1)!),
  },
};
const sets = Array.from({ length: 200 }, (_, i) => ({
  'features.fast.length': 2 + (i % 20),
  'features.slow.length': 5 + Math.floor(i / 20) + (i % 20),
}));

const workers = startSweepWorkers(2);
afterAll(() => workers.close());

async function ran(asked: typeof sets): Promise<VariantRun[]> {
  const runs: VariantRun[] = [];
  await workers.run(task, asked, (set, run) => {
    expect(set).toBe(runs.length);
    runs.push(run);
  });
  return runs;
}

it('gives the runs of one thread, in the order of the sets', async () => {
  expect(await ran(sets)).toEqual(sets.map(variantsOf(task)));
});

it('says of a set that does not parse what is wrong with it, and runs the others', async () => {
  const [wrong, right] = await ran([{ ...sets[0]!, 'features.fast.length': 0 }, sets[1]!]);
  expect(wrong!.shown).toMatchObject({
    figures: null,
    failure: expect.stringContaining('features.fast.length'),
  });
  expect(right!.shown.figures).not.toBeNull();
});

it('throws what the listener threw, and runs the next sweep', async () => {
  const full = new Error('the ledger is away');
  await expect(workers.run(task, sets, () => Promise.reject(full))).rejects.toThrow(full);
  expect(await ran(sets.slice(0, 3))).toHaveLength(3);
});

it('leaves the asking thread free while it runs', async () => {
  let turns = 0;
  const turn = setInterval(() => turns++, 1);
  await ran(sets);
  clearInterval(turn);
  expect(turns).toBeGreaterThan(1);
});
