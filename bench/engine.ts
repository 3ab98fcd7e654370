// Bars per second of the engine on three workloads, each beside a hand-written loop in the same process: a crossover over
// 1,000,000 bars, a ranking of 500 instruments over 2,520 days, and a sweep of 1,000 parameter pairs over 2,520 bars. The
// results are checked against those that five other engines agree on.
import { crossoverLoop, rankingLoop, sweepLoop } from './engine-loops.ts';
import { check, crossover, EXPECTED, type Outcome, plannedPairs, ranking, sweep } from './engine-runs.ts';
import { DAYS, MINUTES, PAIRS, UNIVERSE, walk } from './engine-workloads.ts';
import { measure } from './measure.ts';

const minutes = walk(MINUTES);
compare('W1, one instrument × 1,000,000 bars', 1_000_000, {
  loop: () => crossoverLoop(minutes),
  engine: () => crossover(minutes),
  expected: EXPECTED.crossover,
});

const universe = UNIVERSE.map(walk);
compare('W2, 500 instruments × 2,520 days', 500 * 2_520, {
  loop: () => rankingLoop(universe),
  engine: () => ranking(universe),
  expected: EXPECTED.ranking,
});

const days = walk(DAYS);
const plan = plannedPairs();
compare('W3, 1,000 pairs × 2,520 bars', 1_000 * 2_520, {
  loop: () => sweepLoop(days, PAIRS),
  engine: () => sweep(days, plan),
  expected: EXPECTED.sweep,
});

function compare(
  name: string,
  bars: number,
  { loop, engine, expected }: { loop: () => Outcome; engine: () => Outcome; expected: Outcome },
): void {
  const coldFrom = performance.now();
  const outcome = engine();
  const coldMs = performance.now() - coldFrom;
  check(name, outcome, expected);
  check(`${name}, by the loop`, loop(), expected);
  const { ours, theirs } = measure({ theirs: loop, ours: engine });
  const off = Math.abs(outcome.finalEquity - expected.finalEquity);
  console.log(`${name}: ${(bars / ours.cpuMs / 1_000).toFixed(1)} million bars/s`);
  console.log(
    `  engine ${ours.cpuMs.toFixed(1)} ms of processor time (${ours.wallMs.toFixed(1)} ms by the clock)`,
  );
  console.log(
    `  hand-written loop ${theirs.cpuMs.toFixed(1)} ms (${theirs.wallMs.toFixed(1)} ms by the clock)`,
  );
  console.log(
    `  ratio ${(ours.cpuMs / theirs.cpuMs).toFixed(2)}; first call ${coldMs.toFixed(1)} ms by the clock`,
  );
  console.log(
    `  fills ${outcome.fills}, trades ${outcome.trades}, final equity ${outcome.finalEquity.toFixed(6)}`,
  );
  console.log(
    `  final equity off by ${off.toExponential(1)}, max drawdown ${outcome.maxDrawdown.toFixed(9)}`,
  );
}
