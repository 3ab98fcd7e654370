// `npm run restore-drill`: destroys a world and restores it to a chosen second. `-- --deployments 100 --days 5` makes it larger; `--report`
// writes the result file. Exits with 1 where anything acknowledged was lost, or anything was done twice.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { writeRunReport } from '../support/run-report.ts';

const { values } = parseArgs({
  options: {
    deployments: { type: 'string', default: '100' },
    days: { type: 'string', default: '5' },
    report: { type: 'boolean', default: false },
  },
});
for (const name of ['deployments', 'days'] as const)
  if (!Number.isSafeInteger(Number(values[name])) || Number(values[name]) < 1) {
    console.error(`--${name} takes a whole number above zero`);
    process.exit(1);
  }

type Drill = {
  readonly deployments: number;
  readonly moment: string;
  readonly megabytes: number;
  readonly acknowledged: number;
  readonly lost: Readonly<Record<string, number>>;
  readonly sent: number;
  readonly back: number;
  readonly ms: Readonly<Record<'backup' | 'archived' | 'copied' | 'replayed' | 'settled', number>>;
};

const root = path.resolve(import.meta.dirname, '../..');
const folder = mkdtempSync(path.join(tmpdir(), 'restore-drill-result-'));
const file = path.join(folder, 'result.json');
spawnSync(
  process.execPath,
  [path.join(root, 'node_modules/vitest/vitest.mjs'), 'run', 'tests/restore-drill/restore-drill.test.ts'],
  {
    cwd: root,
    stdio: 'inherit',
    env: {
      ...process.env,
      RESTORE_DRILL_DEPLOYMENTS: values.deployments,
      RESTORE_DRILL_DAYS: values.days,
      RESTORE_DRILL_WAITS: 'yes',
      RESTORE_DRILL_RESULT: file,
    },
  },
);
if (!existsSync(file)) {
  console.error('The drill did not end well: see above.');
  process.exit(1);
}
const drill = JSON.parse(readFileSync(file, 'utf8')) as Drill;
rmSync(folder, { recursive: true });
const { ms, lost, sent, back } = drill;
const seconds = (value: number) => `${(value / 1_000).toFixed(1)} s`;
const times = [
  ['base backup, while it traded', seconds(ms.backup)],
  ['from the chosen second on until the archive had it', seconds(ms.archived)],
  ['base backup read, checked and copied back', seconds(ms.copied)],
  ['log replayed to the chosen second', seconds(ms.replayed)],
  ['books compared with the broker, until trading was free', seconds(ms.settled)],
] as const;
for (const [what, time] of times) console.log(`${time.padStart(10)}  ${what}`);
console.log(`Restored to ${drill.moment}. Of ${drill.acknowledged} rows acknowledged before it 0 are lost.`);
console.log(
  `Of later ones, as chosen: ${Object.entries(lost)
    .map(([table, count]) => `${table} ${count}`)
    .join(', ')}.`,
);
console.log(`Orders sent after it: ${sent}; found again at the broker and booked: ${back}; sent twice: 0.`);
if (values.report)
  writeRunReport('restore-drill', {
    title: 'Restore drill',
    about:
      'A world trades at a stand-in of a broker, which keeps its own state. It is backed up while it trades, goes on, and loses its data folder. It is restored to a chosen second, between the orders of a close and their fills. Then each row that was there at that second must be there again, the books and the audit chain must verify, every order that was sent since must be found at the broker and booked for its deployment, the positions must be those from before the loss, and nothing may be sent twice. Otherwise the drill fails and writes nothing. Time at the broker passes as its lists need it, and is not waited for.',
    facts: [
      ['Deployments', drill.deployments],
      ['Base backup, MB', Math.round(drill.megabytes)],
      ['Rows acknowledged before the chosen second', drill.acknowledged],
      ['Of these lost', 0],
      ...Object.entries(lost).map(
        ([table, count]) => [`Rows after it, gone as chosen: ${table}`, count] as const,
      ),
      ['Orders sent after it', sent],
      ['Of these found again and booked', back],
      ['Sent twice', 0],
    ],
    table: { head: ['Step', 'Time'], rows: times.map((row) => [...row]) },
    failures: [],
  });
