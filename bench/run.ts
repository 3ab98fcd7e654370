// `npm run bench`: every row in sequence, each in its own process so that none warms up another.
// `npm run bench -- engine` runs the rows whose name begins with `engine`; `--full` includes the larger sizes.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';
import path from 'node:path';

const ROWS = [
  'engine',
  'threads',
  'browser',
  'rehearsal',
  'peers',
  'fan-out',
  'fills',
  'polling',
  'streams',
  'deploy',
  'decision-age',
  'memory',
  'history',
  'minutes',
];

const words = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const isRow = (word: string) => ROWS.some((row) => row.startsWith(word));
const wanted = words.some(isRow) ? words.filter(isRow) : words;
/** A word that names no row is a part of one: history days. */
const parts = words.filter((word) => !isRow(word));
const options = [...parts, ...process.argv.slice(2).filter((word) => word.startsWith('--'))];
const chosen = ROWS.filter((row) => wanted.length === 0 || wanted.some((name) => row.startsWith(name)));
if (chosen.length === 0) {
  console.error(`There is no bench "${wanted.join(' ')}". Benches: ${ROWS.join(', ')}.`);
  process.exit(1);
}

console.log(
  `${new Date().toISOString().slice(0, 10)} · Node ${process.versions.node} · ${availableParallelism()} × ${cpus()[0]?.model.trim() ?? 'unknown'}`,
);
let failed = false;
for (const row of chosen) {
  const file = path.join(import.meta.dirname, `${row}.ts`);
  if (!existsSync(file)) throw new Error(`${file} is missing`);
  console.log(`\n## ${row}`);
  const done = spawnSync(process.execPath, ['--expose-gc', file, ...options], { stdio: 'inherit' });
  failed ||= done.status !== 0;
}
process.exit(failed ? 1 : 0);
