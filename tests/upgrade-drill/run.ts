// `npm run upgrade-drill`: upgrades a world that lives from the last release to the present code, and runs that release's tests on the
// present schema. `-- --from COMMIT` takes another one; `--suites FOLDER` (any number) other tests, `--no-suites` none; `--day-seconds` sets
// the length of a market day; `--report` writes the result. Exits with 1 where a close was missed, an order doubled, a request failed or a test of the release does.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { writeRunReport } from '../support/run-report.ts';
import {
  findBaseRelease,
  giveTestsTheNewSchema,
  installRelease,
  runSuites,
  setDaySeconds,
  type Suites,
} from './base-release.ts';
import { type Drill, drillUpgrade } from './drill.ts';

const { values } = parseArgs({
  options: {
    from: { type: 'string' },
    suites: { type: 'string', multiple: true, default: ['src/records', 'src/trader', 'src/results'] },
    'day-seconds': { type: 'string', default: '10' },
    'no-suites': { type: 'boolean', default: false },
    report: { type: 'boolean', default: false },
  },
});
const say = (line: string) => console.log(line);
const folder = mkdtempSync(path.join(tmpdir(), 'upgrade-drill-'));
// PostgreSQL runs as an account of its own.
chmodSync(folder, 0o755);
try {
  const base = findBaseRelease(values.from);
  const installed = path.join(folder, 'release');
  say(`From ${base.name} (${base.commit.slice(0, 9)}) to the present code.`);
  const packages = installRelease(base, installed);
  setDaySeconds(installed, Number(values['day-seconds']));
  const drill = await drillUpgrade(installed, folder, say);
  let suites: Suites = { files: 0, tests: 0, failed: [] };
  if (!values['no-suites']) {
    say(`Its tests on the present schema: ${values.suites.join(', ')}.`);
    giveTestsTheNewSchema(installed);
    suites = runSuites(installed, values.suites);
  }
  const failures = failuresOf(drill, suites);
  tell(drill, suites);
  for (const failure of failures) say(failure);
  if (values.report)
    report({ release: `${base.name} (${base.commit.slice(0, 9)})`, packages }, { drill, suites, failures });
  process.exitCode = failures.length === 0 ? 0 : 1;
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 2;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function failuresOf({ before, during, polled, findings }: Drill, suites: Suites): string[] {
  const { doubled, lost, orphaned, unbalanced } = findings;
  return [
    ...[...before.missed, ...during.missed].map((one) => `missed close ${one}`),
    ...polled.failed.map((one) => `failed request ${one}`),
    ...Object.entries({ doubled, lost, orphaned, unbalanced }).flatMap(([word, found]) =>
      found.map((one) => `${word}: ${one}`),
    ),
    ...suites.failed.map((one) => `test of the release: ${one}`),
  ];
}

function tell({ during, polled, findings }: Drill, { files, tests, failed }: Suites): void {
  say(
    `${during.closes} closes, ${during.missed.length} missed, ${during.overtaken} overtaken; ${findings.orders} orders, ${findings.doubled.length} doubled.`,
  );
  say(`${polled.requests} requests, ${polled.retried} sent again, ${polled.failed.length} failed.`);
  say(`${tests} tests of the release in ${files} files, ${failed.length} failed.`);
}

function report(
  { release, packages }: { readonly release: string; readonly packages: string },
  {
    drill,
    suites,
    failures,
  }: { readonly drill: Drill; readonly suites: Suites; readonly failures: readonly string[] },
): void {
  const { before, during, polled, findings, replaced, schemas, migratedMs } = drill;
  const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;
  writeRunReport('upgrade-drill', {
    title: 'Upgrade drill',
    about:
      'The last release is installed in a folder and runs a world: PostgreSQL, the sandbox market and brokerage with short days, people with deployments, two traders and two APIs. The schema is changed beneath it, and each process makes way for one of the present code, the new one starting before the old one stops, while markets close and a person looks. Then its own tests run on the present schema.',
    facts: [
      ['From', release],
      ['Its packages', packages],
      ['Schema before', schemas.before],
      ['Schema after', schemas.after],
      ['Seconds of a market day', values['day-seconds']],
      ['Closes before, by the release alone', before.closes],
      ['Of these overtaken by the next one', before.overtaken],
      ['Closes from the change of the schema on', during.closes],
      ['Of these overtaken by the next one', during.overtaken],
      ['Closes missed', before.missed.length + during.missed.length],
      ['Orders', findings.orders],
      ['Fills', findings.fills],
      ['Orders doubled', findings.doubled.length],
      ['Executions lost', findings.lost.length],
      ['Orders orphaned', findings.orphaned.length],
      ['Claims that do not hold', findings.unbalanced.length],
      ['Requests', polled.requests],
      ['Of these sent again', polled.retried],
      ['Of these failed', polled.failed.length],
      ['Test files of the release on the present schema', suites.files],
      ['Tests in them', suites.tests],
      ['Of these failed', suites.failed.length],
    ],
    table: {
      head: ['Step', 'Time'],
      rows: [
        ['schema changed beneath the running release', seconds(migratedMs)],
        ...replaced.map(({ role, ms }) => [`one ${role} replaced`, seconds(ms)]),
      ],
    },
    failures,
  });
}
