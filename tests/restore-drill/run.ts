// `npm run restore-drill`: destroys two worlds and restores them, to a chosen second and as far as the archive goes. `-- --deployments 100 --days 5` makes it larger; `--report`
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
  readonly until: 'a chosen second' | 'the end of the archive';
  readonly deployments: number;
  /** Null where the archive had nothing after the base backup. */
  readonly moment: string | null;
  readonly megabytes: number;
  readonly acknowledged: number;
  readonly lost: Readonly<Record<string, number>>;
  readonly sent: number;
  readonly back: number;
  /** `tail`: from the newest transaction that came back to the loss of the disk; null where the moment was chosen. */
  readonly ms: Readonly<Record<'backup' | 'archived' | 'copied' | 'replayed' | 'settled', number>> & {
    readonly tail: number | null;
  };
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
const drills = readFileSync(file, 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line) as Drill);
rmSync(folder, { recursive: true });
if (drills.length !== 2) {
  console.error('One of the two drills did not end well: see above.');
  process.exit(1);
}

const rows = (what: string, of: (drill: Drill) => string | number) => [what, ...drills.map(of)] as const;
const seconds = (value: number) => `${(value / 1_000).toFixed(1)} s`;
const table = [
  rows('restored to', ({ moment }) => moment ?? 'the base backup'),
  rows('rows acknowledged and in the archive', ({ acknowledged }) => acknowledged),
  rows('of these lost', () => 0),
  rows('orders sent after that', ({ sent }) => sent),
  rows('of these in the records again, with their fills', ({ back }) => back),
  rows('sent twice', () => 0),
  ...Object.keys(drills[0]!.lost).map((name) =>
    rows(`rows after that, gone: ${name}`, ({ lost }) => lost[name] ?? 0),
  ),
  rows('from the newest transaction that came back to the loss', ({ ms }) =>
    ms.tail === null ? 'as chosen' : seconds(ms.tail),
  ),
  rows('base backup, while it traded', ({ ms }) => seconds(ms.backup)),
  rows('until the archive had what was acknowledged', ({ ms }) => seconds(ms.archived)),
  rows('base backup read, checked and copied back', ({ ms }) => seconds(ms.copied)),
  rows('log replayed', ({ ms }) => seconds(ms.replayed)),
  rows('books compared with the broker, until trading was free', ({ ms }) => seconds(ms.settled)),
];
for (const [what, ...cells] of table)
  console.log(`${cells.map((cell) => String(cell).padStart(24)).join('')}  ${what}`);
if (values.report)
  writeRunReport('restore-drill', {
    title: 'Restore drill',
    about:
      'A world trades at a stand-in of a broker, which keeps its own state. It is backed up while it trades, goes on, and loses its data folder. It is restored to a chosen second, between the orders of a close and their fills; another one loses its disk and is restored as far as the archive goes. Then each row that was there at the chosen second, or that the archive had, must be there again, the books and the audit chain must verify, every order that was sent since must be found at the broker and booked for its deployment, the positions must be those from before the loss, and nothing may be sent twice. Otherwise the drill fails and writes nothing. Time at the broker passes as its lists need it, and is not waited for.',
    facts: [
      ['Deployments', drills[0]!.deployments],
      ['Base backup, MB', Math.round(drills[0]!.megabytes)],
    ],
    table: {
      head: ['', ...drills.map(({ until }) => `To ${until}`)],
      rows: table.map((row) => row.map(String)),
    },
    failures: [],
  });
