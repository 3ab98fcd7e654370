// Other engines on the three workloads, where they are installed, next to ours in the same run. PYTHON names the
// interpreter that has them; grademark is looked up from the folder that the command is started in.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { BarSeries } from '#engine/market/bar-series.ts';
import { crossoverInput, EXPECTED, pairInput, rankingInput, run, sweep } from './engine-runs.ts';
import { DAYS, MINUTES, UNIVERSE, walk } from './engine-workloads.ts';
import { measure } from './measure.ts';

type Answer = {
  readonly version?: string;
  readonly fills: number;
  readonly finalEquity?: number;
  readonly ms: number;
  readonly firstMs?: number;
  /** How many pairs of the sweep were run, where not all of them. */
  readonly pairs?: number;
};

type WorkloadName = keyof typeof EXPECTED;

type Peer = {
  readonly name: string;
  readonly probe: readonly string[];
  readonly run: readonly string[];
  readonly knows: readonly WorkloadName[];
};

const python = process.env['PYTHON'] ?? 'python3';
const here = (file: string) => path.join(import.meta.dirname, 'peers', file);
const pythonPeer = (module: string, file: string, knows: readonly WorkloadName[]) => ({
  probe: [python, '-c', `import ${module}`],
  run: [python, here(file)],
  knows,
});
const ALL = ['crossover', 'ranking', 'sweep'] as const;
const ONE_INSTRUMENT = ['crossover', 'sweep'] as const;
const PEERS: readonly Peer[] = [
  { name: 'vectorbt', ...pythonPeer('vectorbt', 'vectorbt_runs.py', ALL) },
  { name: 'backtrader', ...pythonPeer('backtrader', 'backtrader_runs.py', ALL) },
  { name: 'backtesting.py', ...pythonPeer('backtesting', 'backtesting_py_runs.py', ONE_INSTRUMENT) },
  {
    name: 'grademark',
    probe: [process.execPath, '-e', "require('grademark'); require('data-forge')"],
    run: [process.execPath, here('grademark-runs.mjs')],
    knows: ONE_INSTRUMENT,
  },
];

const installed = PEERS.filter(({ name, probe }) => {
  if (start(probe).status === 0) return true;
  console.log(`${name}: not installed, left out`);
  return false;
});
const wanted = process.argv.slice(2);
for (const name of ALL) {
  const peers = installed.filter(({ knows }) => knows.includes(name));
  if (peers.length > 0 && (wanted.length === 0 || wanted.includes(name))) compare(name, peers);
}

function compare(workload: WorkloadName, peers: readonly Peer[]): void {
  const { all, ours } = workloadOf(workload);
  const { wallMs } = measure({ ours }).ours;
  console.log(`${workload}: ours ${wallMs.toFixed(1)} ms by the clock, warm`);
  const folder = mkdtempSync(path.join(tmpdir(), 'bellwether-bench-peers-'));
  const file = path.join(folder, 'prices');
  writeFileSync(file, planesOf(all));
  for (const { name, run } of peers) {
    const done = start([...run, workload, file, String(all[0]!.length), String(all.length)]);
    report(name, done, { wallMs, expected: EXPECTED[workload].fills });
  }
  rmSync(folder, { recursive: true });
}

function workloadOf(name: WorkloadName): { all: readonly BarSeries[]; ours: () => void } {
  if (name === 'ranking') {
    const all = UNIVERSE.map(walk);
    const input = rankingInput(all);
    return { all, ours: () => run(input) };
  }
  const bars = walk(name === 'crossover' ? MINUTES : DAYS);
  // As other engines trade: 100 units.
  const input = name === 'crossover' ? crossoverInput(bars, 'units') : pairInput(bars, 'units');
  return { all: [bars], ours: name === 'crossover' ? () => run(input) : () => sweep(input) };
}

/** The opens of each instrument in turn, then the closes. */
function planesOf(all: readonly BarSeries[]): Float64Array {
  const { length } = all[0]!;
  const planes = new Float64Array(2 * all.length * length);
  all.forEach(({ open, close }, i) => {
    planes.set(open, i * length);
    planes.set(close, (all.length + i) * length);
  });
  return planes;
}

function start([command, ...parts]: readonly string[]) {
  return spawnSync(command!, parts, { encoding: 'utf8' });
}

type Beside = { readonly wallMs: number; readonly expected: number };

function report(name: string, done: ReturnType<typeof start>, { wallMs, expected }: Beside): void {
  if (done.status !== 0) {
    console.log(`  ${name}: did not run (${done.stderr.trim().split('\n').at(-1) ?? ''})`);
    return;
  }
  const answer = JSON.parse(done.stdout.trim().split('\n').at(-1)!) as Answer;
  const { version, fills, finalEquity, firstMs, pairs } = answer;
  // A sample of the pairs represents all of them: each costs about the same.
  const ms = pairs === undefined ? answer.ms : (answer.ms * 1_000) / pairs;
  const named = version === undefined ? name : `${name} ${version}`;
  const first = firstMs === undefined ? '' : `, first call ${firstMs.toFixed(0)} ms`;
  const equity = finalEquity === undefined ? 'no equity' : `final equity ${finalEquity.toFixed(6)}`;
  const part = pairs === undefined ? `of ${expected}` : `in ${pairs} of 1,000 pairs, time scaled to all`;
  console.log(`  ${named}: ${ms.toFixed(0)} ms${first}, ${(ms / wallMs).toFixed(0)} × ours`);
  console.log(`    ${fills} fills ${part}, ${equity}`);
}
