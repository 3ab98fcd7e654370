// `npm run fuzz`: sends 100,000 spoilt requests to every call of the API and counts the answers that say that the server failed.
// `-- --requests 1000000 --seed 7` sends others; `--report` writes the result file. Exits with 1 when there was one.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { writeRunReport } from '../support/run-report.ts';

type Result = {
  readonly sent: number;
  readonly statuses: readonly (readonly [number, number])[];
  readonly failures: readonly string[];
  readonly calls: number;
};

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '100000' },
    seed: { type: 'string', default: '11' },
    report: { type: 'boolean', default: false },
  },
});
const [requests, seed] = [Number(values.requests), Number(values.seed)];
if (!Number.isSafeInteger(requests) || requests < 1 || !Number.isSafeInteger(seed) || seed < 1) {
  console.error('--requests and --seed take whole numbers above zero, such as --requests 100000 --seed 11');
  process.exit(1);
}

const root = path.resolve(import.meta.dirname, '../..');
const folder = mkdtempSync(path.join(tmpdir(), 'fuzz-result-'));
const file = path.join(folder, 'result.json');
const { status } = spawnSync(
  process.execPath,
  // The verbose reporter names each round as it ends.
  [path.join(root, 'node_modules/vitest/vitest.mjs'), 'run', 'tests/fuzz/fuzz.test.ts', '--reporter=verbose'],
  {
    cwd: root,
    stdio: 'inherit',
    env: {
      ...process.env,
      FUZZ_REQUESTS: String(requests),
      FUZZ_SEED: String(seed),
      FUZZ_RESULT: file,
    },
  },
);
if (!existsSync(file)) {
  console.error('The requests were not all sent.');
  process.exit(1);
}
const result = JSON.parse(readFileSync(file, 'utf8')) as Result;
rmSync(folder, { recursive: true });
if (values.report)
  writeRunReport('fuzz', {
    title: 'Spoilt requests',
    about:
      'Sends requests to every call of the API, by everybody who could ask, with fields, headers and bodies spoilt. An answer of 500 or more is a failure.',
    facts: [
      ['Seed', seed],
      ['Calls', result.calls],
      ['Requests', result.sent],
    ],
    table: {
      head: ['Status', 'Answers'],
      rows: result.statuses
        .toSorted(([left], [right]) => left - right)
        .map(([code, count]) => [String(code), count.toLocaleString('en-US')]),
    },
    failures: result.failures.slice(0, 100),
  });
process.exit(status ?? 1);
