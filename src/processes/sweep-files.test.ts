import { expect, test } from 'vitest';
import { planSweep } from '#engine/sweep/plan-sweep.ts';
import { Sweep } from '#engine/sweep/sweep.ts';
import { everySet } from '#engine/sweep/variant-definition.ts';
import { equityInstrument, randomSeries } from '#tests/support/engine/random-market.ts';
import { toMicro } from '#units/money.ts';
import { parseParameter, sweepFiles } from './sweep-files.ts';

const series = randomSeries({ symbol: 'AAA', seed: 5, bars: 400 });
const template = {
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
};
const terms = {
  instrument: equityInstrument('AAA'),
  execution: {
    initialCash: toMicro(10_000),
    commissionRate: 0.001,
    spreadRate: 0,
    fill: 'next_open',
    size: { type: 'all_cash' },
    repeatedSignal: 'ignored',
  },
} as const;

test('a sweep from the command line gives what each set gives in one thread', async () => {
  const parameters = ['features.fast.length=2..6', 'features.slow.length=10,20'];
  const swept = await sweepFiles({ template, series, ...terms, parameters });
  const sets = everySet(parameters.map(parseParameter));
  expect(swept.map((one) => one.parameters)).toEqual(sets);
  const planned = planSweep(template, sets);
  const plan = planned.ok ? planned.plan : { features: [], variants: [] };
  const alone = new Sweep({ features: plan.features, series: new Map([['AAA' as never, series]]), ...terms });
  expect(swept.map(({ trades }) => trades)).toEqual([...alone.run(plan.variants).trades]);
});

test('a set that is no definition is named', async () => {
  const parameters = ['features.fast.length=0..2'];
  await expect(sweepFiles({ template, series, ...terms, parameters })).rejects.toThrow(
    'sets.0.features.fast.length',
  );
});

test.each([
  ['a.b=1,2.5', [1, 2.5]],
  ['a.b=1..3', [1, 2, 3]],
  ['a.b=0.1..0.3/0.1', [0.1, 0.2, 0.30000000000000004]],
])('%s is %j', (text, values) => {
  expect(parseParameter(text)).toEqual({ path: 'a.b', values });
});

test.each(['a.b', 'a.b=', 'a.b=x', 'a.b=3..1', '=1'])('%s is refused', (text) => {
  expect(() => parseParameter(text)).toThrow(/--sweep/);
});
