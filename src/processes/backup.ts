// `npm run backup`: a base backup of the embedded PostgreSQL, beside the running product or without it; what is there, whether it is
// whole; and a copy of the keys, apart. Exits with 1 when something is not as it must be.
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { instant, isoText } from '#units/instant.ts';
import { takeBaseBackup } from './backup/base-backup.ts';
import { changedFiles, listBaseBackups, removeOlder } from './backup/base-backups.ts';
import { copyKeys } from './backup/copy-keys.ts';
import { clusterHomeOf, findRunningDatabase, startDatabase } from './database/embedded-postgres.ts';
import {
  backupFolderOf,
  backupsOf,
  type ClusterBackups,
  clusterIdOf,
  noteBackupFolder,
} from './database/wal-archive.ts';
import { commandEnvironment } from './environment/command-environment.ts';
import type { Environment } from './environment/environment.ts';
import { lockDataDir } from './start/data-lock.ts';

const USAGE = `npm run backup [-- --keep N]     a base backup; keeps the newest N (7), and the log that they need
npm run backup -- list           the base backups, and the newest segment of the log
npm run backup -- verify         reads every base backup again, and names files that changed
npm run backup -- keys FOLDER    copies the keys to a folder apart from the data and its backups`;

/** How many words follow each. */
const WORDS: Readonly<Record<string, number>> = { '': 0, list: 0, verify: 0, keys: 1 };

const say = (line: string) => process.stdout.write(`${line}\n`);

try {
  const { words, keep } = readArguments();
  const environment = await commandEnvironment();
  if (words[0] === 'keys' && words[1] !== undefined)
    say(`The keys are in ${copyKeys(environment, words[1], isoText(instant(Date.now())))}.`);
  else if (words[0] === 'list') list(backupsHere(environment));
  else if (words[0] === 'verify') await verify(backupsHere(environment));
  else await backUp(environment, keep);
} catch (error) {
  process.stderr.write(`backup: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}

function readArguments(): { readonly words: readonly string[]; readonly keep: number } {
  const { values, positionals } = parseArgs({
    args: process.argv.slice(2),
    allowPositionals: true,
    options: { keep: { type: 'string', default: '7' } },
  });
  const keep = Number(values.keep);
  const [word = '', ...rest] = positionals;
  const known = word in WORDS && rest.length === WORDS[word];
  if (!known) throw new Error(`there is no command "${positionals.join(' ')}"\n${USAGE}`);
  if (!Number.isSafeInteger(keep) || keep < 1)
    throw new Error(`--keep must be a whole number above zero\n${USAGE}`);
  return { words: positionals, keep };
}

function backupsHere(
  environment: Pick<Environment, 'dataDir' | 'backupDir' | 'databaseUrl'>,
): ClusterBackups {
  const { dataDir, databaseUrl } = environment;
  if (databaseUrl !== null)
    throw new Error(
      'DATABASE_URL names a server of yours: back it up with its own tools, as docs/operators/recovery.md says',
    );
  const noted = backupFolderOf(dataDir);
  const folder = environment.backupDir ?? noted;
  if (folder === null) throw new Error('BACKUP_DIR is not set, and the data folder notes none');
  if (folder !== noted && findRunningDatabase(dataDir) !== null)
    throw new Error(
      `the running database archives its log ${noted === null ? 'nowhere' : `to ${noted}`}: stop the product and start it with BACKUP_DIR=${folder}`,
    );
  const cluster = path.join(clusterHomeOf(dataDir), 'cluster');
  if (!existsSync(cluster)) throw new Error(`there is no database in ${dataDir} yet`);
  return backupsOf(folder, clusterIdOf(cluster));
}

async function backUp(environment: Environment, keep: number): Promise<void> {
  const { dataDir, backupDir } = environment;
  const backups = backupsHere(environment);
  const running = findRunningDatabase(dataDir);
  const copy = async (ownerUrl: string) => {
    const began = performance.now();
    const cluster = path.join(clusterHomeOf(dataDir), 'cluster');
    const { folder, files } = await takeBaseBackup({ dataDir, cluster, ownerUrl, backups, now: Date.now });
    const megabytes = files.reduce((sum, { bytes }) => sum + bytes, 0) / 1e6;
    say(
      `${folder}: ${files.length} files, ${megabytes.toFixed(0)} MB, ${((performance.now() - began) / 1_000).toFixed(1)} s`,
    );
    const removed = removeOlder(backups, keep);
    if (removed > 0)
      say(
        `Removed ${removed} older ${removed === 1 ? 'one' : 'ones'}, and the log before the oldest that stays.`,
      );
  };
  if (running !== null) return copy(running.ownerUrl);
  const lock = lockDataDir(dataDir);
  try {
    if (backupDir !== null) noteBackupFolder(dataDir, backupDir);
    const server = await startDatabase(dataDir);
    try {
      await copy(server.ownerUrl);
    } finally {
      await server.stop();
    }
  } finally {
    lock.release();
  }
}

function list(backups: ClusterBackups): void {
  for (const { startedAt, endedAt, files } of listBaseBackups(backups))
    say(
      `${startedAt}  can be restored to ${endedAt} and later  ${(files.reduce((sum, { bytes }) => sum + bytes, 0) / 1e6).toFixed(0)} MB`,
    );
  const segments = existsSync(backups.log)
    ? readdirSync(backups.log).filter((name) => /^[0-9A-F]{24}\.gz$/.test(name))
    : [];
  say(
    segments.length === 0
      ? 'No segment of the log is archived.'
      : `The newest of ${segments.length} archived segments of the log is ${segments.toSorted().at(-1)}.`,
  );
}

async function verify(backups: ClusterBackups): Promise<void> {
  const all = listBaseBackups(backups);
  if (all.length === 0) throw new Error('there is no base backup of this cluster');
  for (const backup of all) {
    const changed = await changedFiles(backup);
    for (const name of changed) say(`${backup.startedAt}: ${name} is not as it was written`);
    if (changed.length === 0) say(`${backup.startedAt}: whole`);
    else process.exitCode = 1;
  }
}
