// The release that runs before the upgrade: which commit it is, and its files in a folder, with the packages of its own lock file.
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

export const ROOT = path.resolve(import.meta.dirname, '../..');

const git = (...words: string[]) =>
  execFileSync('git', words, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();

export type BaseRelease = { readonly name: string; readonly commit: string };

/** The newest tag of a release that the present code comes from, or what is asked for. Throws an Error that says what is missing. */
export function findBaseRelease(asked: string | undefined): BaseRelease {
  const name = asked ?? newestTag();
  if (name === null)
    throw new Error(
      'this clone has no tag of a release (vX.Y.Z): fetch the tags, or name a commit with -- --from COMMIT',
    );
  try {
    return { name, commit: git('rev-parse', '--verify', `${name}^{commit}`) };
  } catch {
    throw new Error(`this clone has no commit ${name}: fetch it, or name another one with -- --from COMMIT`);
  }
}

function newestTag(): string | null {
  try {
    return git('describe', '--tags', '--match', 'v[0-9]*', '--abbrev=0', 'HEAD');
  } catch {
    return null;
  }
}

/** Answers how its packages came there. */
export function installRelease({ commit }: BaseRelease, folder: string): string {
  mkdirSync(folder, { recursive: true });
  const archive = execFileSync('git', ['archive', commit], { cwd: ROOT, maxBuffer: 512 * 1024 * 1024 });
  execFileSync('tar', ['-x', '-C', folder], { input: archive });
  const lockOf = (root: string) => readFileSync(path.join(root, 'package-lock.json'), 'utf8');
  if (lockOf(folder) === lockOf(ROOT)) {
    const copied = spawnSync('cp', [
      '-al',
      path.join(ROOT, 'node_modules'),
      path.join(folder, 'node_modules'),
    ]);
    if (copied.status !== 0)
      cpSync(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'), { recursive: true });
    return 'the same as now';
  }
  const done = spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--ignore-scripts=false'], {
    cwd: folder,
    stdio: 'inherit',
  });
  if (done.status !== 0) throw new Error('the packages of the release could not be installed');
  return 'by its own lock file';
}

const DAY = "const DAY_SECONDS = '4';";

/** Its world has days of this length: a trader must be able to keep up with them on this machine. */
export function setDaySeconds(folder: string, seconds: number): void {
  const file = path.join(folder, 'tests/kill-campaign/stage.ts');
  const text = readFileSync(file, 'utf8');
  if (!text.includes(DAY)) throw new Error(`${file} does not set the length of a day as the drill expects`);
  writeFileSync(file, text.replace(DAY, `const DAY_SECONDS = '${seconds}';`));
}

const MIGRATES = 'await migrateAsOwner(server.ownerUrl);';

/** Its tests get a database of the present schema: it is migrated by the present code. */
export function giveTestsTheNewSchema(folder: string): void {
  const file = path.join(folder, 'tests/support/database-server.ts');
  const text = readFileSync(file, 'utf8');
  if (!text.includes(MIGRATES)) throw new Error(`${file} does not migrate as the drill expects`);
  const migrating = path.join(ROOT, 'tests/upgrades/migrating-process.ts');
  const changed = text.replace(
    MIGRATES,
    `(await import('node:child_process')).execFileSync(process.execPath, [${JSON.stringify(migrating)}], { env: { ...process.env, OWNER_URL: server.ownerUrl }, stdio: 'inherit' });`,
  );
  writeFileSync(file, changed);
}

export type Suites = { readonly files: number; readonly tests: number; readonly failed: readonly string[] };

/** What these tests ask is whether the schema is their own. */
const OF_ITS_OWN_SCHEMA = ['src/records/postgres/postgres.test.ts'];

export function runSuites(folder: string, suites: readonly string[]): Suites {
  const report = path.join(folder, 'suites.json');
  const excluded = OF_ITS_OWN_SCHEMA.flatMap((file) => ['--exclude', file]);
  spawnSync(
    process.execPath,
    [
      'node_modules/vitest/vitest.mjs',
      'run',
      '--project',
      'product',
      '--reporter=json',
      `--outputFile=${report}`,
      ...excluded,
      ...suites,
    ],
    { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] },
  );
  const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as {
    testResults: {
      name: string;
      message: string;
      assertionResults: { status: string; fullName: string }[];
    }[];
  };
  const ran = testResults.flatMap(({ assertionResults }) => assertionResults);
  const broken = testResults.filter(({ assertionResults }) => assertionResults.length === 0);
  return {
    files: testResults.length,
    tests: ran.filter(({ status }) => status === 'passed' || status === 'failed').length,
    failed: [
      ...broken.map(({ name, message }) => `${path.relative(folder, name)}: ${message}`),
      ...ran.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName),
    ],
  };
}
