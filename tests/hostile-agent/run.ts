// `npm run hostile-agent`: 10,000 hostile tool calls and 200 injected texts by an agent with keys of one person; counts what was
// committed beyond the budget and what was done without a name. `-- --calls 20000 --texts 400 --seed 7` sends others; `--report` writes
// the result file. Exits with 1 when something did not hold.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { writeRunReport } from '../support/run-report.ts';

type Result = {
  readonly sent: number;
  readonly texts: number;
  readonly counts: readonly (readonly [kind: string, { readonly sent: number; readonly refused: number }])[];
  readonly made: number;
  readonly acts: readonly { readonly status: string; readonly count: number }[];
  readonly failures: readonly string[];
};

const { values } = parseArgs({
  options: {
    calls: { type: 'string', default: '10000' },
    texts: { type: 'string', default: '200' },
    seed: { type: 'string', default: '11' },
    report: { type: 'boolean', default: false },
  },
});
const [calls, texts, seed] = [Number(values.calls), Number(values.texts), Number(values.seed)];
if ([calls, texts, seed].some((given) => !Number.isSafeInteger(given) || given < 1)) {
  console.error(
    '--calls, --texts and --seed take whole numbers above zero, such as --calls 10000 --texts 200 --seed 11',
  );
  process.exit(1);
}

const root = path.resolve(import.meta.dirname, '../..');
const folder = mkdtempSync(path.join(tmpdir(), 'hostile-result-'));
const file = path.join(folder, 'result.json');
const { status } = spawnSync(
  process.execPath,
  [
    path.join(root, 'node_modules/vitest/vitest.mjs'),
    'run',
    'tests/hostile-agent/hostile-agent.test.ts',
    '--reporter=verbose',
  ],
  {
    cwd: root,
    stdio: 'inherit',
    env: {
      ...process.env,
      HOSTILE_CALLS: String(calls),
      HOSTILE_TEXTS: String(texts),
      HOSTILE_SEED: String(seed),
      HOSTILE_RESULT: file,
    },
  },
);
if (!existsSync(file)) {
  console.error('The calls were not all sent.');
  process.exit(1);
}
const result = JSON.parse(readFileSync(file, 'utf8')) as Result;
rmSync(folder, { recursive: true });
if (values.report)
  writeRunReport('hostile-agent', {
    title: 'A hostile agent',
    about:
      'An agent in wrong hands calls the tools with API keys of one person, and obeys every text that it reads. A commitment beyond the budget of a key, a change of what is not the key’s, real money that nobody accepted, and an act without person and key in the audit log are failures.',
    facts: [
      ['Seed', seed],
      ['Tool calls', result.sent],
      ['Injected texts', result.texts],
      ['Practice deployments made within the budgets', result.made],
      ...result.acts.map(({ status: became, count }) => [`Acts ${became}`, count] as const),
    ],
    table: {
      head: ['Attack', 'Calls', 'Refused'],
      rows: result.counts
        .toSorted(([left], [right]) => (left < right ? -1 : 1))
        .map(([kind, one]) => [kind, one.sent.toLocaleString('en-US'), one.refused.toLocaleString('en-US')]),
    },
    failures: result.failures.slice(0, 100),
  });
process.exit(status ?? 1);
