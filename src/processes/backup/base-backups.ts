// The base backups of a cluster in a backup folder: listed, checked against what was written, and removed when newer ones do.
import { createHash } from 'node:crypto';
import { createReadStream, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { ClusterBackups } from '../database/wal-archive.ts';

export type BackedUpFile = { readonly name: string; readonly bytes: number; readonly sha256: string };

export type BaseBackup = {
  readonly folder: string;
  readonly cluster: string;
  readonly startedAt: string;
  /** By the server's clock: the first moment to which it can be restored. */
  readonly endedAt: string;
  /** Of the log: from it on all segments are needed. */
  readonly firstSegment: string;
  readonly files: readonly BackedUpFile[];
};

const MANIFEST = 'backup.json';

/** Folders of a cluster that its server fills again at its start: left empty, and made again where a copy lost them. */
export const EMPTIED_FOLDERS = [
  'pg_wal',
  'pg_replslot',
  'pg_dynshmem',
  'pg_notify',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
] as const;

export async function writeManifest(folder: string, written: BaseBackup): Promise<void> {
  await writeSynced(path.join(folder, MANIFEST), `${JSON.stringify(written)}\n`);
}

/** Once it returns, the text is on the disk. */
export async function writeSynced(file: string, text: string): Promise<void> {
  const target = await open(file, 'w', 0o600);
  try {
    await target.writeFile(text);
    await target.sync();
  } finally {
    await target.close();
  }
}

/** The whole ones, oldest first. */
export function listBaseBackups({ base }: ClusterBackups): readonly BaseBackup[] {
  if (!existsSync(base)) return [];
  return readdirSync(base)
    .filter((name) => existsSync(path.join(base, name, MANIFEST)) && !name.endsWith('.unfinished'))
    .toSorted()
    .map((name) => {
      const folder = path.join(base, name);
      return {
        ...(JSON.parse(readFileSync(path.join(folder, MANIFEST), 'utf8')) as Omit<BaseBackup, 'folder'>),
        folder,
      };
    });
}

/** The clusters that a backup folder has something of. */
export function listClusters(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => /^\d+$/.test(name))
    .toSorted();
}

/** The files that are not as they were written; none of a good one. */
export async function changedFiles({ folder, files }: BaseBackup): Promise<readonly string[]> {
  const changed: string[] = [];
  for (const { name, sha256 } of files) {
    const file = path.join(folder, 'cluster', name);
    const hash = createHash('sha256');
    if (existsSync(file)) await pipeline(createReadStream(file), hash);
    if (!existsSync(file) || hash.digest('hex') !== sha256) changed.push(name);
  }
  return changed;
}

/** Keeps the newest ones, and the log from the oldest of them on. Returns how many were removed. */
export function removeOlder(backups: ClusterBackups, keep: number): number {
  const all = listBaseBackups(backups);
  const gone = all.slice(0, Math.max(0, all.length - keep));
  for (const { folder } of gone) rmSync(folder, { recursive: true });
  const oldest = all[gone.length];
  if (oldest !== undefined && existsSync(backups.log))
    // Without the timeline: a segment has the same place on each. Histories of timelines stay.
    for (const name of readdirSync(backups.log))
      if (/^[0-9A-F]{24}/.test(name) && name.slice(8, 24) < oldest.firstSegment.slice(8, 24))
        rmSync(path.join(backups.log, name));
  return gone.length;
}
