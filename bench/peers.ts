// Other engines on W1, where the person has installed them, beside ours in the same run. PYTHON names the interpreter
// that has them; grademark is looked for from the folder that the command is started in.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { crossover, EXPECTED } from './engine-runs.ts';
import { MINUTES, walk } from './engine-workloads.ts';
import { measure } from './measure.ts';

type Answer = {
  readonly version?: string;
  readonly fills: number;
  readonly finalEquity?: number;
  readonly ms: number;
  readonly firstMs?: number;
};

const python = process.env['PYTHON'] ?? 'python3';
const here = (file: string) => path.join(import.meta.dirname, 'peers', file);
const PEERS = [
  {
    name: 'vectorbt',
    probe: [python, '-c', 'import vectorbt'],
    run: [python, here('vectorbt_crossover.py')],
  },
  {
    name: 'backtrader',
    probe: [python, '-c', 'import backtrader'],
    run: [python, here('backtrader_crossover.py')],
  },
  {
    name: 'grademark',
    probe: [process.execPath, '-e', "require('grademark'); require('data-forge')"],
    run: [process.execPath, here('grademark-crossover.mjs')],
  },
];

const bars = walk(MINUTES);
const { ours } = measure({ ours: () => crossover(bars) });
console.log(`W1, one instrument × 1,000,000 bars: ours ${ours.wallMs.toFixed(1)} ms by the clock, warm`);
const folder = mkdtempSync(path.join(tmpdir(), 'bellwether-bench-peers-'));
const file = path.join(folder, 'prices');
const planes = new Float64Array(2 * bars.length);
planes.set(bars.open);
planes.set(bars.close, bars.length);
writeFileSync(file, planes);
for (const { name, probe, run } of PEERS) {
  if (start(probe).status === 0) report(name, start([...run, file, String(bars.length)]));
  else console.log(`  ${name}: not installed, left out`);
}
rmSync(folder, { recursive: true });

function start([command, ...parts]: readonly string[]) {
  return spawnSync(command!, parts, { encoding: 'utf8' });
}

function report(name: string, done: ReturnType<typeof start>): void {
  if (done.status !== 0) {
    console.log(`  ${name}: did not run (${done.stderr.trim().split('\n').at(-1) ?? ''})`);
    return;
  }
  const { version, fills, finalEquity, ms, firstMs } = JSON.parse(
    done.stdout.trim().split('\n').at(-1)!,
  ) as Answer;
  const named = version === undefined ? name : `${name} ${version}`;
  const first = firstMs === undefined ? '' : `, first call ${firstMs.toFixed(0)} ms`;
  const equity = finalEquity === undefined ? 'no equity' : `final equity ${finalEquity.toFixed(6)}`;
  console.log(`  ${named}: ${ms.toFixed(0)} ms${first}, ${(ms / ours.wallMs).toFixed(0)} × ours`);
  console.log(`    ${fills} fills of ${EXPECTED.crossover.fills}, ${equity}`);
}
