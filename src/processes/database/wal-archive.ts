// Continuous archiving of the embedded PostgreSQL: each segment of its log goes to a folder of the operator's, compressed, at the
// latest a minute after its first row. The data folder notes which: every start from there archives, those of commands too.
import { chownSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type Account, canEnter } from './server-account.ts';

const NOTE = 'backup-location';

/** Null: nothing is archived. */
export function backupFolderOf(dataDir: string): string | null {
  const note = path.join(dataDir, NOTE);
  return existsSync(note) ? readFileSync(note, 'utf8').trim() : null;
}

/** From the next start on. Throws an Error that says why a folder does not do. */
export function noteBackupFolder(dataDir: string, folder: string): void {
  if (process.platform === 'win32')
    throw new Error('BACKUP_DIR is not for Windows: set DATABASE_URL to a server that you back up');
  // It stands in commands of a shell.
  if (!path.isAbsolute(folder) || !/^[\w./-]+$/.test(folder))
    throw new Error(`BACKUP_DIR must be a full path of letters, digits, ".", "_" and "-", not ${folder}`);
  if (isWithin(folder, dataDir))
    throw new Error(
      `BACKUP_DIR ${folder} is inside the data folder, and would be lost with it: choose another disk`,
    );
  mkdirSync(dataDir, { recursive: true });
  writeFileSync(path.join(dataDir, NOTE), `${folder}\n`);
}

export function isWithin(folder: string, other: string): boolean {
  return `${path.resolve(folder)}${path.sep}`.startsWith(`${path.resolve(other)}${path.sep}`);
}

/** What a backup folder has of one cluster: others have segments of the same names. */
export type ClusterBackups = { readonly cluster: string; readonly log: string; readonly base: string };

export function backupsOf(folder: string, clusterId: string): ClusterBackups {
  const own = path.join(folder, clusterId);
  return { cluster: clusterId, log: path.join(own, 'wal'), base: path.join(own, 'base') };
}

/** The number that PostgreSQL gave a cluster, from its control file. */
export function clusterIdOf(cluster: string): string {
  return String(readFileSync(path.join(cluster, 'global/pg_control')).readBigUInt64LE(0));
}

/** The settings of a server whose data folder is backed up; none of another one. Makes the folder where it is missing. */
export function archiveSettings(
  dataDir: string,
  cluster: string,
  account: Account | null,
): Readonly<Record<string, string>> {
  const folder = backupFolderOf(dataDir);
  if (folder === null) return {};
  const { log } = backupsOf(folder, clusterIdOf(cluster));
  mkdirSync(path.dirname(log), { recursive: true, mode: 0o755 });
  mkdirSync(log, { recursive: true, mode: 0o700 });
  if (account !== null) {
    if (!canEnter(path.dirname(log), account))
      throw new Error(
        `the account that PostgreSQL runs as cannot enter ${folder}: choose a BACKUP_DIR that it can, such as /var/backups/bellwether`,
      );
    chownSync(log, account.uid, account.gid);
  }
  return {
    archive_mode: 'on',
    archive_timeout: String(ARCHIVED_WITHIN_SECONDS),
    archive_command: archiveCommand(log),
  };
}

const ARCHIVED_WITHIN_SECONDS = 60;

/** A segment that is there already must be the same one. `%f` is its name, `%p` its path; no other file has the name before it is whole. */
function archiveCommand(log: string): string {
  const file = `'${log}/%f.gz'`;
  const unfinished = `'${log}/%f.unfinished'`;
  return (
    `if test -f ${file}; then gzip -dc ${file} | cmp -s - "%p"; ` +
    `else gzip -1c "%p" > ${unfinished} && sync ${unfinished} && mv ${unfinished} ${file} && sync '${log}'; fi`
  );
}

/** Fails where the segment is not there, which tells PostgreSQL that the archive ends. */
export function restoreCommand({ log }: ClusterBackups): string {
  return `gzip -dc '${log}/%f.gz' > "%p" 2>/dev/null`;
}
