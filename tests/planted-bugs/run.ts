// `npm run planted-bugs [-- word …] [--report]`: plants each bug alone in a copy of this tree and runs the suites that
// should detect it, after a run of them without any bug. Two copies, to use two processors. Prints which test detected the
// bug; exits with 1 when a bug was not detected or could not be planted. The report covers whole runs only.
import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { writeRunReport } from '../support/run-report.ts';
import { BUGS } from './bugs.ts';
import { firstFailure } from './first-failure.ts';
import type { PlantedBug } from './planted-bug.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const LEFT_OUT = new Set(['node_modules', '.git', 'data', 'screenshots']);
/** A bug that makes a suite hang is detected by this timeout; a slow machine must not trigger it. */
const SUITES_MAX_MS = 900_000;
const TIMEOUTS = ['--testTimeout=300000', '--hookTimeout=300000'];
const { values: options, positionals: only } = parseArgs({
  options: { report: { type: 'boolean', default: false } },
  allowPositionals: true,
});
if (options.report && only.length > 0) {
  console.error('--report needs a whole run: leave the words out.');
  process.exit(2);
}
const chosen = only.length === 0 ? BUGS : BUGS.filter(({ name }) => only.some((word) => name.includes(word)));

const folder = mkdtempSync(path.join(tmpdir(), 'bellwether-planted-'));
const noticedBy = new Map<PlantedBug, string | null>();
try {
  const copies = ['one', 'two'].map(copyTree);
  const healthy = await run(copies[0]!, ...new Set(chosen.flatMap(({ suites }) => suites)));
  if (healthy !== null) throw new Error(`without any bug a suite fails already: ${healthy}`);
  console.log(
    `Planted on ${new Date().toISOString().slice(0, 10)}, each alone; its suites pass without it.\n`,
  );
  console.log('| Bug | Where | Noticed by |\n|---|---|---|');
  const waiting = chosen.values();
  await Promise.all(
    copies.map(async (copy) => {
      for (const bug of waiting) {
        noticedBy.set(bug, await plant(copy, bug));
        console.log(`| ${rowOf(bug).join(' | ')} |`);
      }
    }),
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
const unnoticed = chosen.filter((bug) => noticedBy.get(bug) === null);
console.log(`\n${chosen.length} bugs planted one at a time, ${chosen.length - unnoticed.length} noticed`);
if (options.report)
  writeRunReport('planted-bugs', {
    title: 'Planted bugs',
    about:
      'Plants one bug at a time in a copy of the tree and runs the cheapest suite that should notice it, after all these suites have passed without a bug.',
    facts: [
      ['Bugs', chosen.length],
      ['Noticed', chosen.length - unnoticed.length],
    ],
    table: { head: ['Bug', 'Where', 'Noticed by'], rows: chosen.map(rowOf) },
    failures: unnoticed.map(({ name }) => `not noticed: ${name}`),
  });
process.exit(unnoticed.length === 0 ? 0 : 1);

/** A copy of the tree and of the folders next to it. Returns its path. */
function copyTree(name: string): string {
  const copy = path.join(folder, name, 'tree');
  cpSync(ROOT, copy, {
    recursive: true,
    filter: (from) => !LEFT_OUT.has(path.relative(ROOT, from).split(path.sep)[0] ?? ''),
  });
  symlinkSync(path.join(ROOT, 'node_modules'), path.join(copy, 'node_modules'));
  // The data next to the project that some suites read.
  if (existsSync(path.join(ROOT, '../shared')))
    symlinkSync(path.join(ROOT, '../shared'), path.join(copy, '../shared'));
  return copy;
}

function rowOf(bug: PlantedBug): string[] {
  return [bug.name, `\`${bug.file}\``, noticedBy.get(bug) ?? '**not noticed**'];
}

/** The first suite and its first test that fails with the bug; null when all pass. */
async function plant(copy: string, { name, file, from, to, suites }: PlantedBug): Promise<string | null> {
  const target = path.join(copy, file);
  const healthy = readFileSync(target, 'utf8');
  if (healthy.split(from).length !== 2) throw new Error(`"${name}" cannot be planted: ${file} has changed`);
  writeFileSync(
    target,
    healthy.replace(from, () => to),
  );
  try {
    for (const suite of suites) {
      const found = await run(copy, suite);
      if (found !== null) return `\`${suite}\`: ${found}`;
    }
    return null;
  } finally {
    writeFileSync(target, healthy);
  }
}

/** The first test that fails in these suites; null when all pass. `simulate N` runs N seeds. */
async function run(copy: string, ...suites: readonly string[]): Promise<string | null> {
  const seeds = suites.flatMap((suite) => /^simulate (\d+)$/.exec(suite)?.[1] ?? []);
  for (const count of seeds) {
    const code = await exitOf(copy, ['tests/simulation/run.ts', '--seeds', count, '--steps', '25']);
    if (code !== 0) return 'an invariant is broken';
  }
  const files = suites.filter((suite) => !suite.startsWith('simulate '));
  if (files.length === 0) return null;
  const report = path.join(copy, '../report.json');
  rmSync(report, { force: true });
  const words = ['run', '--bail=1', '--reporter=json', `--outputFile=${report}`, ...TIMEOUTS, ...files];
  const code = await exitOf(copy, ['node_modules/vitest/vitest.mjs', ...words]);
  if (code === null) return 'it never ends';
  return code === 0 ? null : firstFailure(report);
}

function exitOf(copy: string, words: readonly string[]): Promise<number | null> {
  const child = spawn(process.execPath, words, { cwd: copy, stdio: 'ignore', timeout: SUITES_MAX_MS });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', resolve);
  });
}
