// What `backtest()` costs compared with a hand-written loop of the same trading, in the same process: a crossover over
// 1,000,000 bars (W1), a ranking of 500 instruments over 2,520 days (W2), a sweep of 1,000 parameter pairs over 2,520
// bars (W3), and each again with dividends and a stop loss. Both sides produce equity, cash and exposure at every bar,
// the drawdown, and lists of fills and trades; all figures are compared before anything is measured.
import { spawnSync } from 'node:child_process';
import {
  check,
  crossoverInput,
  EXPECTED,
  type Extras,
  loopTerms,
  type Outcome,
  pairInput,
  rankingInput,
  run,
  type Sizing,
  sumUp,
  sweep,
} from './engine-runs.ts';
import { DAYS, MINUTES, PAIRS, UNIVERSE, walk } from './engine-workloads.ts';
import { crossoverLoop, sweepLoop } from './loops/crossover-loops.ts';
import { rankingLoop } from './loops/ranking-loop.ts';
import { measure } from './measure.ts';

type Workload = {
  readonly name: string;
  /** Symbol-bars. */
  readonly bars: number;
  readonly engine: (sizing: Sizing, extras: Extras) => () => readonly Outcome[];
  readonly loop: (extras: Extras) => () => readonly Outcome[];
};

const WORKLOADS: Readonly<Record<keyof typeof EXPECTED, () => Workload>> = {
  crossover: () => {
    const bars = walk(MINUTES);
    return {
      name: 'W1, a crossover, one instrument × 1,000,000 bars',
      bars: bars.length,
      engine: (sizing, extras) => {
        const input = crossoverInput(bars, sizing, extras);
        return () => [run(input)];
      },
      loop: (extras) => {
        const terms = loopTerms('crossover', bars, extras);
        return () => [crossoverLoop(bars, { fast: 10, slow: 20 }, terms)];
      },
    };
  },
  ranking: () => {
    const all = UNIVERSE.map(walk);
    return {
      name: 'W2, a ranking, 500 instruments × 2,520 days',
      bars: all.length * all[0]!.length,
      engine: (_, extras) => {
        const input = rankingInput(all, extras);
        return () => [run(input)];
      },
      loop: (extras) => {
        const terms = loopTerms('ranking', all[0]!, extras);
        return () => [rankingLoop(all, terms)];
      },
    };
  },
  sweep: () => {
    const bars = walk(DAYS);
    return {
      name: 'W3, a sweep, 1,000 pairs × 2,520 bars',
      bars: PAIRS.length * bars.length,
      engine: (sizing, extras) => {
        const input = pairInput(bars, sizing, extras);
        return () => sweep(input);
      },
      loop: (extras) => {
        const terms = loopTerms('sweep', bars, extras);
        return () => sweepLoop(bars, PAIRS, terms);
      },
    };
  },
};

const wanted = process.argv[2];
for (const key of ['crossover', 'ranking', 'sweep'] as const) {
  if (wanted === key) {
    compare(key, WORKLOADS[key]());
  } else if (wanted === undefined) {
    // Each in its own process, so that none warms up or slows down another.
    const done = spawnSync(process.execPath, [...process.execArgv, import.meta.filename, key], {
      stdio: 'inherit',
    });
    if (done.status !== 0) process.exit(1);
  }
}

function compare(key: keyof typeof EXPECTED, { name, bars, engine, loop }: Workload): void {
  check(`${name}, as five other engines trade it`, sumUp(engine('units', 'plain')()), EXPECTED[key]);
  for (const extras of ['plain', 'dividends and stop'] as const) {
    const [ours, theirs] = [engine('weight', extras), loop(extras)];
    const coldFrom = performance.now();
    const outcome = ours();
    const coldMs = performance.now() - coldFrom;
    requireSame(name, outcome, theirs());
    const { fills, trades, finalEquity, maxDrawdown } = sumUp(outcome);
    const measured = measure({ loop: () => void theirs(), engine: () => void ours() });
    const ratio = (measured.engine.cpuMs / measured.loop.cpuMs).toFixed(2);
    console.log(`${name}${extras === 'plain' ? '' : `, with ${extras}`}: ratio ${ratio}`);
    console.log(
      `  engine ${both(measured.engine)}, first call ${coldMs.toFixed(1)} ms by the clock, ${(bars / measured.engine.cpuMs / 1_000).toFixed(1)} million bars/s`,
    );
    console.log(`  hand-written loop ${both(measured.loop)}`);
    console.log(
      `  fills ${fills}, trades ${trades}, final equity ${finalEquity.toFixed(6)}, max drawdown ${maxDrawdown.toFixed(9)}`,
    );
  }
}

/** Every bar, fill and round trip; what filled at the same open may be listed in another order. */
function requireSame(name: string, ours: readonly Outcome[], theirs: readonly Outcome[]): void {
  const differs = (one: Outcome, i: number) => {
    const other = theirs[i]!;
    const columns = (['equity', 'cash', 'exposure'] as const).some((column) =>
      one[column].some((value, row) => value !== other[column][row]),
    );
    return (
      columns || sorted(one.fills) !== sorted(other.fills) || sorted(one.trades) !== sorted(other.trades)
    );
  };
  if (ours.length !== theirs.length || ours.some(differs))
    throw new Error(`${name}: the loop trades something else`);
}

function sorted(list: readonly object[]): string {
  const lines = list.map((one) => JSON.stringify(one));
  return lines.sort().join('\n');
}

function both({ cpuMs, wallMs }: { readonly cpuMs: number; readonly wallMs: number }): string {
  return `${cpuMs.toFixed(1)} ms of processor time (${wallMs.toFixed(1)} ms by the clock)`;
}
