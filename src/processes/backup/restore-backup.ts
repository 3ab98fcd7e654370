// Puts a cluster back as it was at a moment: the newest base backup before it, and the log from there to the moment. What lies in the
// data folder is moved aside and never removed. A restored cluster goes on in a timeline of its own, by which each role finds out.
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import {
  clusterHomeOf,
  freePort,
  launchServer,
  OWNER_PASSWORD,
  stopServer,
} from '../database/embedded-postgres.ts';
import { type Account, unprivilegedAccount } from '../database/server-account.ts';
import {
  archiveSettings,
  type ClusterBackups,
  noteBackupFolder,
  restoreCommand,
} from '../database/wal-archive.ts';
import { type BaseBackup, changedFiles, EMPTIED_FOLDERS, listBaseBackups } from './base-backups.ts';
import { restoreAnchors } from './restore-anchors.ts';

export type Restoring = {
  readonly dataDir: string;
  readonly folder: string;
  readonly backups: ClusterBackups;
  /** Null: as far as the log goes. */
  readonly to: string | null;
  readonly now: () => number;
};

export type Restored = {
  readonly from: BaseBackup;
  /** Of the last transaction that was replayed; null where none was after the base backup. */
  readonly until: string | null;
  readonly copiedMs: number;
  readonly replayedMs: number;
  /** Where what was in the data folder lies now. */
  readonly aside: readonly string[];
};

/** Throws an Error that says what is missing; then the data folder is as it was. */
export async function restoreBackup(options: Restoring): Promise<Restored> {
  const { dataDir, folder, backups, to, now } = options;
  const began = now();
  const from = chooseBackup(listBaseBackups(backups), to);
  const changed = await changedFiles(from);
  if (changed.length > 0)
    throw new Error(
      `the backup of ${from.startedAt} is damaged: ${changed.slice(0, 5).join(', ')} ${changed.length === 1 ? 'is' : 'are'} not as written. Choose another moment, or another copy`,
    );
  const account = unprivilegedAccount();
  const home = clusterHomeOf(dataDir);
  const fresh = path.join(home, 'cluster.restoring');
  rmSync(fresh, { recursive: true, force: true });
  cpSync(path.join(from.folder, 'cluster'), fresh, { recursive: true });
  chmodSync(fresh, 0o700);
  const current = path.join(home, 'cluster');
  makeFolders(fresh);
  copyLeftLog(current, fresh);
  writeFileSync(path.join(fresh, 'recovery.signal'), '');
  if (account !== null) giveTo(fresh, account);
  const copied = now();
  noteBackupFolder(dataDir, folder);
  // It archives too: the history of the new timeline must be there before another restore looks for it.
  const settings = { ...archiveSettings(dataDir, fresh, account), restore_command: restoreCommand(backups) };
  const until = await replay(fresh, { from, settings, to }).catch((error: unknown) => {
    rmSync(fresh, { recursive: true, force: true });
    throw error;
  });
  const replayed = now();
  const stamp = new Date(began).toISOString().replaceAll(':', '-');
  const aside = [current, path.join(dataDir, 'audit-anchors')].flatMap((place) => {
    if (!existsSync(place)) return [];
    const kept = `${place}.before-${stamp}`;
    renameSync(place, kept);
    return [kept];
  });
  renameSync(fresh, current);
  for (const name of readdirSync(path.join(from.folder, 'beside')))
    if (name !== 'history' || !existsSync(path.join(dataDir, name)))
      cpSync(path.join(from.folder, 'beside', name), path.join(dataDir, name), { recursive: true });
  await restoreAnchors(dataDir);
  return { from, until, copiedMs: copied - began, replayedMs: replayed - copied, aside };
}

function chooseBackup(all: readonly BaseBackup[], to: string | null): BaseBackup {
  const fitting = all.filter(({ endedAt }) => to === null || endedAt <= to);
  const chosen = fitting.at(-1);
  if (chosen !== undefined) return chosen;
  throw new Error(
    all.length === 0
      ? 'there is no base backup of this cluster'
      : `the oldest base backup ended at ${all[0]!.endedAt}: choose a later moment`,
  );
}

/** The log that the server had not archived, where its folder is still there: then nothing is lost at all. */
function copyLeftLog(current: string, fresh: string): void {
  const left = path.join(current, 'pg_wal');
  if (!existsSync(left)) return;
  for (const name of readdirSync(left))
    if (/^[0-9A-F]{24}$|^[0-9A-F]{8}\.history$/.test(name))
      cpSync(path.join(left, name), path.join(fresh, 'pg_wal', name));
}

/** Those that a server needs and that a base backup leaves empty, which a copy may lose. */
function makeFolders(fresh: string): void {
  for (const name of EMPTY_FOLDERS) mkdirSync(path.join(fresh, name), { recursive: true, mode: 0o700 });
}

const EMPTY_FOLDERS = [
  ...EMPTIED_FOLDERS,
  'pg_wal/archive_status',
  'pg_wal/summaries',
  'pg_tblspc',
  'pg_twophase',
  'pg_commit_ts',
];

function giveTo(place: string, account: Account): void {
  chownSync(place, account.uid, account.gid);
  for (const entry of readdirSync(place, { withFileTypes: true })) {
    const inside = path.join(place, entry.name);
    if (entry.isDirectory()) giveTo(inside, account);
    else chownSync(inside, account.uid, account.gid);
  }
}

type Replaying = {
  readonly from: BaseBackup;
  readonly settings: Readonly<Record<string, string>>;
  readonly to: string | null;
};

/** Lets PostgreSQL replay its log, and stops it. Returns when the last replayed transaction was committed. */
async function replay(cluster: string, { from, settings, to }: Replaying): Promise<string | null> {
  const port = await freePort();
  const server = launchServer({
    cluster,
    port,
    settings: {
      ...settings,
      recovery_target_timeline: 'latest',
      recovery_target_action: 'promote',
      // In a setting PostgreSQL knows no names of zones.
      ...(to !== null && { recovery_target_time: to.replace('T', ' ').replace('Z', '+00') }),
    },
  });
  let log = '';
  server.stderr?.on('data', (chunk: Buffer) => {
    log = (log + chunk.toString()).slice(-20_000);
  });
  const password = readFileSync(path.join(from.folder, 'beside', OWNER_PASSWORD), 'utf8').trim();
  try {
    for (;;) {
      if (server.exitCode !== null || server.signalCode !== null) throw new Error(endedEarly(log, to));
      const state = await readState(`postgres://postgres:${password}@127.0.0.1:${port}/postgres`);
      if (state !== null && !state.replays) return state.until?.toISOString() ?? null;
      await sleep(50);
    }
  } finally {
    await stopServer(server);
  }
}

/** Null while it does not answer. */
async function readState(
  url: string,
): Promise<{ readonly replays: boolean; readonly until: Date | null } | null> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query(
      `select pg_is_in_recovery() as replays, pg_last_xact_replay_timestamp() as until`,
    );
    return rows[0];
  } catch {
    return null;
  } finally {
    await client.end().catch(() => undefined);
  }
}

function endedEarly(log: string, to: string | null): string {
  if (/recovery ended before configured recovery target was reached/.test(log))
    return `the log ends before ${to}: leave --to out to restore as far as it goes`;
  return `PostgreSQL could not replay its log:\n${log.trim().split('\n').slice(-5).join('\n')}`;
}
