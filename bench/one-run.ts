// Loads bars from a file of binary columns, runs the crossover once, and says what that took: the process that
// bench/loading.ts looks at from outside.
import { existsSync, readFileSync } from 'node:fs';
import { decodeBars } from '#engine/columns/bar-columns.ts';
import type { Symbol } from '#units/identifiers.ts';
import { check, crossover, EXPECTED } from './engine-runs.ts';

const file = process.argv[2];
if (file === undefined) throw new Error('name the file of bars');
const bars = decodeBars(readFileSync(file), { symbol: 'ONE' as Symbol, interval: '1m' });
check('W1', crossover(bars), EXPECTED.crossover);
const { userCPUTime, systemCPUTime } = process.resourceUsage();
console.log(JSON.stringify({ peakMiB: peakKiB() / 1_024, cpuMs: (userCPUTime + systemCPUTime) / 1_000 }));

/** Linux counts the memory of the process that started this one into maxRSS, so the kernel's own mark is read there. */
function peakKiB(): number {
  const status = '/proc/self/status';
  const mark = existsSync(status) ? /VmHWM:\s+(\d+)/.exec(readFileSync(status, 'utf8'))?.[1] : undefined;
  return mark === undefined ? process.resourceUsage().maxRSS : Number(mark);
}
