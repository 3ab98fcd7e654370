// A base backup of the embedded PostgreSQL while it runs, by the steps that its manual gives for copying the files oneself: start,
// copy, stop; the log that was written meanwhile makes the copy whole. It counts once all of it is on the disk.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import { instant, isoText } from '#units/instant.ts';
import type { ClusterBackups } from '../database/wal-archive.ts';
import {
  type BaseBackup,
  type BackedUpFile,
  EMPTIED_FOLDERS,
  writeManifest,
  writeSynced,
} from './base-backups.ts';

type Copying = {
  readonly dataDir: string;
  readonly cluster: string;
  /** Of a database of the server, as its owner. */
  readonly ownerUrl: string;
  readonly backups: ClusterBackups;
  readonly now: () => number;
};

/** Throws an Error that says what is wrong, such as an archive that takes nothing. */
export async function takeBaseBackup({
  dataDir,
  cluster,
  ownerUrl,
  backups,
  now,
}: Copying): Promise<BaseBackup> {
  const startedAt = isoText(instant(now()));
  const folder = path.join(backups.base, startedAt.replaceAll(':', '-'));
  const unfinished = `${folder}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  const database = path.join(unfinished, 'cluster');
  mkdirSync(database, { recursive: true, mode: 0o700 });
  // The connection must stay: PostgreSQL gives the backup up with it.
  const client = new pg.Client({ connectionString: ownerUrl });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await refuseIdleArchive(client);
    await client.query(`select pg_backup_start('bellwether', true)`);
    const files = await copyTree(cluster, database, isCopied);
    const { label, endedAt } = await stopBackup(client);
    files.push(await writeWhole(path.join(database, 'backup_label'), label, 'backup_label'));
    const firstSegment = /\(file ([0-9A-F]{24})\)/.exec(label)?.[1];
    if (firstSegment === undefined)
      throw new Error(`PostgreSQL gave a backup label without its segment: ${label}`);
    for (const name of BESIDE)
      await copyBeside(path.join(dataDir, name), path.join(unfinished, 'beside', name));
    const backup = { folder, cluster: backups.cluster, startedAt, endedAt, firstSegment, files };
    await writeManifest(unfinished, backup);
    renameSync(unfinished, folder);
    return backup;
  } finally {
    await client.end();
  }
}

/** Of the data folder: what is needed to open the database again, and what it refers to. The keys are not among them. */
const BESIDE = ['postgres-password', 'product-password', 'history'];

async function refuseIdleArchive(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ mode: string }>(`select current_setting('archive_mode') as mode`);
  if (rows[0]?.mode !== 'on')
    throw new Error('this server does not archive its log: stop the product and start it with BACKUP_DIR');
}

/** Once it returns, all segments that the copy needs are in the archive. */
async function stopBackup(client: pg.Client): Promise<{ readonly label: string; readonly endedAt: string }> {
  await client.query(`set statement_timeout = ${ARCHIVED_WITHIN_MS}`);
  try {
    const { rows } = await client.query<{ label: string; at: Date }>(
      `select labelfile as label, clock_timestamp() as at from pg_backup_stop(true)`,
    );
    return { label: rows[0]!.label, endedAt: rows[0]!.at.toISOString() };
  } catch (error) {
    const { rows } = await client.query<{ failed: string | null }>(
      `select case when last_failed_time > coalesce(last_archived_time, '-infinity') then last_failed_wal end as failed
       from pg_stat_archiver`,
    );
    throw new Error(
      `the log was not archived within ${ARCHIVED_WITHIN_MS / 1_000} s${rows[0]?.failed ? `: segment ${rows[0].failed} failed` : ''}. ` +
        'Is the disk of BACKUP_DIR full, or away?',
      { cause: error },
    );
  }
}

const ARCHIVED_WITHIN_MS = 120_000;

/** What a server makes again at its start, as the manual of PostgreSQL lists it. */
function isCopied(name: string): boolean {
  const [top = '', ...rest] = name.split('/');
  if (EMPTIED.has(top) && rest.length > 0) return false;
  const last = rest.at(-1) ?? top;
  return !LEFT_OUT.has(last) && !last.startsWith('pgsql_tmp') && !name.endsWith('backup_label.old');
}

const EMPTIED: ReadonlySet<string> = new Set(EMPTIED_FOLDERS);
const LEFT_OUT = new Set([
  'postmaster.pid',
  'postmaster.opts',
  'pg_internal.init',
  'recovery.signal',
  'standby.signal',
]);

/** A file that the server removes meanwhile is not missed: the log removes it again. */
async function copyTree(
  from: string,
  to: string,
  isWanted: (name: string) => boolean,
  under = '',
): Promise<BackedUpFile[]> {
  const files: BackedUpFile[] = [];
  for (const entry of readdirSync(path.join(from, under), { withFileTypes: true })) {
    const name = path.posix.join(under, entry.name);
    if (!isWanted(name)) continue;
    if (entry.isDirectory()) {
      mkdirSync(path.join(to, name), { recursive: true, mode: 0o700 });
      files.push(...(await copyTree(from, to, isWanted, name)));
    } else if (entry.isFile()) {
      const copied = await copyWhole(path.join(from, name), path.join(to, name), name);
      if (copied !== null) files.push(copied);
    } else
      throw new Error(
        `${path.join(from, name)} is neither a file nor a folder: such a cluster cannot be copied`,
      );
  }
  return files;
}

async function copyWhole(from: string, to: string, name: string): Promise<BackedUpFile | null> {
  const source = await open(from).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (source === null) return null;
  const target = await open(to, 'w', 0o600);
  try {
    const hash = createHash('sha256');
    let bytes = 0;
    for await (const chunk of source.createReadStream({ highWaterMark: 1 << 20 }) as AsyncIterable<Buffer>) {
      hash.update(chunk);
      bytes += chunk.length;
      await target.writeFile(chunk);
    }
    await target.sync();
    return { name, bytes, sha256: hash.digest('hex') };
  } finally {
    await target.close();
    await source.close().catch(() => undefined);
  }
}

async function writeWhole(file: string, text: string, name: string): Promise<BackedUpFile> {
  await writeSynced(file, text);
  return { name, bytes: Buffer.byteLength(text), sha256: createHash('sha256').update(text).digest('hex') };
}

async function copyBeside(from: string, to: string): Promise<void> {
  mkdirSync(path.dirname(to), { recursive: true, mode: 0o700 });
  if (path.basename(from) !== 'history') return void (await copyWhole(from, to, path.basename(from)));
  // Nothing was imported.
  if (!existsSync(from)) return;
  mkdirSync(to, { mode: 0o700 });
  await copyTree(from, to, () => true);
}
