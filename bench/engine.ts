// Bars per second of the engine on three workloads, each beside a hand-written loop in the same process and a C loop in
// the same run: a crossover over 1,000,000 bars, a ranking of 500 instruments over 2,520 days, and a sweep of 1,000
// parameter pairs over 2,520 bars. The results are checked against those that five other engines agree on.
import { spawnSync } from 'node:child_process';
import type { BarSeries } from '#engine/market/bar-series.ts';
import { compileCLoops } from './c-loops.ts';
import { crossoverLoop, rankingLoop, sweepLoop } from './engine-loops.ts';
import { check, crossover, EXPECTED, type Outcome, ranking, sweep } from './engine-runs.ts';
import { DAYS, MINUTES, PAIRS, UNIVERSE, walk } from './engine-workloads.ts';
import { measure } from './measure.ts';

type Workload = {
  readonly name: string;
  readonly key: keyof typeof EXPECTED;
  readonly bars: number;
  readonly all: readonly BarSeries[];
  readonly loop: () => Outcome;
  readonly engine: () => Outcome;
  /** Milliseconds of the peers on it, measured on another day: see docs/performance.md. */
  readonly peers: Readonly<Record<string, number>>;
};

const WORKLOADS: Readonly<Record<keyof typeof EXPECTED, () => Workload>> = {
  crossover: () => {
    const minutes = walk(MINUTES);
    return {
      name: 'W1, one instrument × 1,000,000 bars',
      key: 'crossover',
      bars: 1_000_000,
      all: [minutes],
      loop: () => crossoverLoop(minutes),
      engine: () => crossover(minutes),
      peers: { vectorbt: 260, grademark: 2_288, 'backtesting.py': 6_705, backtrader: 136_218 },
    };
  },
  ranking: () => {
    const universe = UNIVERSE.map(walk);
    return {
      name: 'W2, 500 instruments × 2,520 days',
      key: 'ranking',
      bars: 500 * 2_520,
      all: universe,
      loop: () => rankingLoop(universe),
      engine: () => ranking(universe),
      peers: { vectorbt: 597, backtrader: 113_238 },
    };
  },
  sweep: () => {
    const days = walk(DAYS);
    return {
      name: 'W3, 1,000 pairs × 2,520 bars',
      key: 'sweep',
      bars: 1_000 * 2_520,
      all: [days],
      loop: () => sweepLoop(days, PAIRS),
      engine: () => sweep(days),
      peers: { vectorbt: 829, grademark: 2_424, 'backtesting.py': 36_559, backtrader: 288_000 },
    };
  },
};

const wanted = process.argv[2];
for (const key of ['crossover', 'ranking', 'sweep'] as const) {
  if (wanted === key) {
    compare(WORKLOADS[key]());
  } else if (wanted === undefined) {
    // Each in a process of its own, so that none is warmed up or slowed down by another.
    const done = spawnSync(process.execPath, [import.meta.filename, key], { stdio: 'inherit' });
    if (done.status !== 0) process.exit(1);
  }
}

function compare({ name, key, bars, all, loop, engine, peers }: Workload): void {
  const expected = EXPECTED[key];
  const coldFrom = performance.now();
  const outcome = engine();
  const coldMs = performance.now() - coldFrom;
  check(name, outcome, expected);
  check(`${name}, by the loop`, loop(), expected);
  const cLoops = compileCLoops();
  if (cLoops === null) console.log('No C compiler (cc) here: the C loop is left out.');
  const c = cLoops?.run(key, all);
  cLoops?.remove();
  if (c !== undefined) check(`${name}, in C`, c, expected);
  const { ours, theirs } = measure({ theirs: loop, ours: engine });
  const off = Math.abs(outcome.finalEquity - expected.finalEquity);
  const ratio = (ours.cpuMs / theirs.cpuMs).toFixed(2);
  console.log(`${name}: ${(bars / ours.cpuMs / 1_000).toFixed(1)} million bars/s`);
  console.log(`  engine ${both(ours)}, first call ${coldMs.toFixed(1)} ms by the clock`);
  console.log(`  hand-written loop ${both(theirs)}: ratio ${ratio}`);
  if (c !== undefined) {
    console.log(`  C loop ${c.cpuMs.toFixed(1)} ms: ratio ${(ours.cpuMs / c.cpuMs).toFixed(2)}`);
  }
  const times = Object.entries(peers).map(([peer, ms]) => `${peer} ÷ ${(ms / ours.cpuMs).toFixed(0)}`);
  console.log(`  by the table of 2026-11-21: ${times.join(', ')}`);
  console.log(
    `  fills ${outcome.fills}, trades ${outcome.trades}, final equity ${outcome.finalEquity.toFixed(6)} (off by ${off.toExponential(1)}), max drawdown ${outcome.maxDrawdown.toFixed(9)}`,
  );
}

function both({ cpuMs, wallMs }: { readonly cpuMs: number; readonly wallMs: number }): string {
  return `${cpuMs.toFixed(1)} ms of processor time (${wallMs.toFixed(1)} ms by the clock)`;
}
