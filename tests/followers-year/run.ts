// `npm run followers-year`: the followers of one strategy through 252 days of simulated trading, at full capacity, with a queue, a new version
// half-way and an orderly end. `-- --days 60` runs fewer; `--report` writes the result file. Exits with 1 when something did not hold.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { writeRunReport } from '../support/run-report.ts';

type Result = {
  readonly followers: number;
  readonly neverLetIn: number;
  readonly signals: number;
  readonly versions: number;
  readonly mostInUse: number;
  readonly capacity: number;
  readonly clients: number;
  readonly accounts: number;
  readonly difference: number;
  readonly bound: number;
  readonly arrivals: { readonly first: number; readonly last: number };
};

const { values } = parseArgs({
  options: { days: { type: 'string', default: '252' }, report: { type: 'boolean', default: false } },
});
const days = Number(values.days);
if (!Number.isSafeInteger(days) || days < 10) {
  console.error('--days takes a whole number from 10 on, such as --days 252');
  process.exit(1);
}
const root = path.resolve(import.meta.dirname, '../..');
const folder = mkdtempSync(path.join(tmpdir(), 'followers-year-'));
const file = path.join(folder, 'result.json');
const { status } = spawnSync(
  process.execPath,
  [path.join(root, 'node_modules/vitest/vitest.mjs'), 'run', 'tests/followers-year/followers-year.test.ts'],
  {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, FOLLOWERS_DAYS: String(days), FOLLOWERS_RESULT: file },
  },
);
if (status !== 0 || !existsSync(file)) {
  console.error('Something did not hold: see above.');
  process.exit(1);
}
const result = JSON.parse(readFileSync(file, 'utf8')) as Result;
rmSync(folder, { recursive: true });
const dollars = (value: number) => `$${Math.round(value).toLocaleString('en-US')}`;
const facts = [
  ['Days', days],
  ['Signals that were traded', result.signals],
  ['Versions of the strategy', result.versions],
  ['Followers who signed', result.followers],
  ['Of them left the queue, or were in it when the strategy was retired', result.neverLetIn],
  ['Capacity', dollars(result.capacity)],
  ['Most that was in it', dollars(result.mostInUse)],
  ['Accounts at most in one signal', result.accounts],
  ['Clients in every signal of the first version', result.clients],
  ['Largest difference of their added places', result.difference],
  ['Bound of that difference', result.bound],
  [
    'Share of the others that reached the broker before those who were to be first',
    percent(result.arrivals.first),
  ],
  [
    'Share of the others that reached the broker before those who were to be last',
    percent(result.arrivals.last),
  ],
] as const;
for (const [fact, value] of facts) console.log(`${fact}: ${value}`);
if (values.report)
  writeRunReport('followers-year', {
    title: 'A year of followers',
    about:
      'Seventeen people sign for a strategy that has room for ten, two more later. People leave and others are let in, the strategy gets a second version half-way and is retired at the end; the trader crashes once. After each day the queue is compared with the order of signing and the money with the capacity; every invariant is checked half-way and at the end. Places in the rotation are added up for each client: 0 is first. The bound is what the rotation promises. A run in which something does not hold writes no page.',
    facts,
    failures: [],
  });

function percent(share: number): string {
  return `${Math.round(share * 100)}%`;
}
