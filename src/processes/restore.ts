// `npm run restore`: puts the embedded PostgreSQL back as it was at a moment, while the product is stopped. `--stated` marks a database
// that was put back in another way, of which PostgreSQL cannot tell. Exits with 1 when it could not.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { markRestoration } from '#records/recovery/restorations.ts';
import { instant, isoText } from '#units/instant.ts';
import { wallInstant } from '#units/wall-instant.ts';
import { listClusters } from './backup/base-backups.ts';
import { restoreBackup } from './backup/restore-backup.ts';
import { withCommandDatabase } from './database/command-database.ts';
import { clusterHomeOf, findRunningDatabase } from './database/embedded-postgres.ts';
import { backupFolderOf, backupsOf, clusterIdOf } from './database/wal-archive.ts';
import { worldDatabase } from './database/world-database.ts';
import { commandEnvironment } from './environment/command-environment.ts';
import type { Environment } from './environment/environment.ts';
import { lockDataDir } from './start/data-lock.ts';

const USAGE = `npm run restore [-- --to 2026-11-27T09:30:00Z]   as it was then; without --to as far as the archived log goes
    --cluster ID: where BACKUP_DIR has backups of several
npm run restore -- --stated                      the database was put back in another way, such as by copying its files`;

const say = (line: string) => process.stdout.write(`${line}\n`);

try {
  const { values } = parseArgs({
    args: process.argv.slice(2),
    options: {
      to: { type: 'string' },
      cluster: { type: 'string' },
      stated: { type: 'boolean', default: false },
    },
  });
  const environment = await commandEnvironment();
  if (values.stated) await state(environment);
  else await restore(environment, readMoment(values.to), values.cluster ?? null);
} catch (error) {
  process.stderr.write(`restore: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}

/** With its zone: an hour of local time comes twice a year. */
function readMoment(text: string | undefined): string | null {
  if (text === undefined) return null;
  const at = Date.parse(text);
  if (Number.isNaN(at) || !/(?:Z|[+-]\d{2}:?\d{2})$/.test(text))
    throw new Error(
      `--to must be a moment with its zone, such as 2026-11-27T09:30:00Z, not "${text}"\n${USAGE}`,
    );
  if (at > Date.now()) throw new Error(`--to ${text} is yet to come`);
  return isoText(instant(at));
}

async function state(environment: Environment): Promise<void> {
  await withCommandDatabase(
    environment,
    ({ database }) => markRestoration(database, wallInstant(Date.now()), { stated: true }),
    worldDatabase(environment),
  );
  say('Marked: each account is compared with its broker before anything is sent there.');
}

async function restore(environment: Environment, to: string | null, asked: string | null): Promise<void> {
  const { dataDir, databaseUrl } = environment;
  if (databaseUrl !== null)
    throw new Error(
      'DATABASE_URL names a server of yours: restore it with its own tools, as docs/operators/recovery.md says',
    );
  const folder = environment.backupDir ?? backupFolderOf(dataDir);
  if (folder === null) throw new Error('BACKUP_DIR is not set, and the data folder notes none');
  const lock = lockDataDir(dataDir);
  try {
    if (findRunningDatabase(dataDir) !== null)
      throw new Error('the database runs. Stop the product, and any command that uses it');
    const backups = backupsOf(folder, asked ?? chooseCluster(dataDir, folder));
    const restored = await restoreBackup({ dataDir, folder, backups, to, now: Date.now });
    say(
      `Restored from the base backup of ${restored.from.startedAt}: copied in ${seconds(restored.copiedMs)}, log replayed in ${seconds(restored.replayedMs)}.`,
    );
    say(
      restored.until === null
        ? 'Nothing was committed after the base backup.'
        : `The last transaction is of ${restored.until}.`,
    );
    for (const place of restored.aside) say(`What was there is in ${place}.`);
    if (!existsSync(path.join(dataDir, 'keys')))
      say(
        `${path.join(dataDir, 'keys')} is missing: put the keys of that time back from their own copy before you start.`,
      );
    say('Start the product: each account is compared with its broker before anything is sent there.');
  } finally {
    lock.release();
  }
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}

/** The one that lies in the data folder, or else the only one. */
function chooseCluster(dataDir: string, folder: string): string {
  const cluster = path.join(clusterHomeOf(dataDir), 'cluster');
  if (existsSync(path.join(cluster, 'global/pg_control'))) return clusterIdOf(cluster);
  const all = listClusters(folder);
  if (all.length === 1) return all[0]!;
  throw new Error(
    all.length === 0
      ? `there is no backup in ${folder}`
      : `${folder} has backups of several databases: choose one with --cluster, ${all.join(' or ')}`,
  );
}
