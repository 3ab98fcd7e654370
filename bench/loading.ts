// 1,000,000 bars from a file of binary columns, and the whole process that loads them and runs the crossover once: its
// time and its peak of memory.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { decodeBars, encodeBars } from '#engine/columns/bar-columns.ts';
import { bundle } from './bundle.ts';
import { MINUTES, walk } from './engine-workloads.ts';
import { median } from './measure.ts';

const ROUNDS = 9;

const folder = mkdtempSync(path.join(tmpdir(), 'bellwether-bench-bars-'));
const file = path.join(folder, 'minutes.columns');
const bars = walk(MINUTES);
writeFileSync(file, encodeBars(bars));

const times: number[] = [];
const cpuTimes: number[] = [];
for (let round = 0; round < ROUNDS; round++) {
  const cpu = process.threadCpuUsage();
  const from = performance.now();
  const loaded = decodeBars(readFileSync(file), bars);
  times.push(performance.now() - from);
  const { user, system } = process.threadCpuUsage(cpu);
  cpuTimes.push((user + system) / 1_000);
  if (loaded.close[999_999] !== bars.close[999_999]) throw new Error('the bars that were read are others');
}
console.log('1,000,000 bars from binary columns (48 MB, in the file cache), order checked');
console.log(
  `  median ${median(cpuTimes).toFixed(1)} ms of processor time, ${median(times).toFixed(1)} ms by the clock; quickest ${Math.min(...times).toFixed(1)} ms`,
);

const program = path.join(folder, 'one-run.mjs');
writeFileSync(program, await bundle('one-run.ts', 'node'));
const processes = Array.from({ length: 5 }, () => {
  const from = performance.now();
  const done = spawnSync(process.execPath, [program, file], {
    encoding: 'utf8',
  });
  if (done.status !== 0) throw new Error(done.stderr);
  const { peakMiB, cpuMs } = JSON.parse(done.stdout) as { peakMiB: number; cpuMs: number };
  return { wallMs: performance.now() - from, peakMiB, cpuMs };
});
const middle = (of: keyof (typeof processes)[number]) => median(processes.map((one) => one[of])).toFixed(0);
console.log('Whole process of plain JavaScript: start, load, W1 once, end');
console.log(
  `  peak memory ${middle('peakMiB')} MiB, processor ${middle('cpuMs')} ms, ${middle('wallMs')} ms by the clock`,
);
rmSync(folder, { recursive: true });
