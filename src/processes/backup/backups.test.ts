// What is kept of backups, what of them is noticed as damaged, and that keys never lie with data. The way through PostgreSQL is in
// `tests/restore-drill`.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { backupFolderOf, backupsOf, noteBackupFolder } from '../database/wal-archive.ts';
import { changedFiles, listBaseBackups, removeOlder, writeManifest } from './base-backups.ts';
import { copyKeys } from './copy-keys.ts';

const folders: string[] = [];
let folder = '';
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'bellwether-backups-'));
  folders.push(folder);
});
afterAll(() => {
  for (const one of folders) rmSync(one, { recursive: true, force: true });
});

const segment = (timeline: number, nth: number) =>
  `${timeline.toString(16).padStart(8, '0')}${'0'.repeat(8)}${nth.toString(16).padStart(8, '0')}`.toUpperCase();

async function baseBackup(backups: ReturnType<typeof backupsOf>, day: string, firstSegment: string) {
  const place = path.join(backups.base, day);
  mkdirSync(path.join(place, 'cluster'), { recursive: true });
  writeFileSync(path.join(place, 'cluster/PG_VERSION'), '18\n');
  const sha256 = createHash('sha256').update('18\n').digest('hex');
  await writeManifest(place, {
    folder: place,
    cluster: backups.cluster,
    startedAt: `${day}T00:00:00Z`,
    endedAt: `${day}T00:01:00Z`,
    firstSegment,
    files: [{ name: 'PG_VERSION', bytes: 3, sha256 }],
  });
}

test('older base backups go, and of the log only what none of the others needs', async () => {
  const backups = backupsOf(folder, '7');
  mkdirSync(backups.log, { recursive: true });
  const names = [segment(1, 1), segment(1, 2), segment(1, 3), segment(2, 4)].map((name) => `${name}.gz`);
  for (const name of [...names, '00000002.history.gz']) writeFileSync(path.join(backups.log, name), '');
  await baseBackup(backups, '2026-11-25', segment(1, 1));
  await baseBackup(backups, '2026-11-26', segment(1, 3));
  await baseBackup(backups, '2026-11-27', segment(2, 4));
  mkdirSync(path.join(backups.base, '2026-11-28.unfinished'));
  expect(removeOlder(backups, 2)).toBe(1);
  expect(listBaseBackups(backups).map(({ startedAt }) => startedAt.slice(0, 10))).toEqual([
    '2026-11-26',
    '2026-11-27',
  ]);
  expect(readdirSync(backups.log).toSorted()).toEqual(['00000002.history.gz', names[2], names[3]].toSorted());
  expect(removeOlder(backups, 2)).toBe(0);
});

test('a file that changed or is gone is named', async () => {
  const backups = backupsOf(folder, '7');
  await baseBackup(backups, '2026-11-27', segment(1, 1));
  const [backup] = listBaseBackups(backups);
  expect(await changedFiles(backup!)).toEqual([]);
  const file = path.join(backup!.folder, 'cluster/PG_VERSION');
  writeFileSync(file, '19\n');
  expect(await changedFiles(backup!)).toEqual(['PG_VERSION']);
  rmSync(file);
  expect(await changedFiles(backup!)).toEqual(['PG_VERSION']);
});

describe('keys', () => {
  const stage = () => {
    const dataDir = path.join(folder, 'data');
    mkdirSync(path.join(dataDir, 'keys'), { recursive: true });
    writeFileSync(path.join(dataDir, 'keys/anchor-key.pem'), 'anchor');
    const keyEncryptionKeyFile = path.join(folder, 'kek');
    writeFileSync(keyEncryptionKeyFile, 'root');
    return { dataDir, keyEncryptionKeyFile, keyService: null, backupDir: path.join(folder, 'backups') };
  };

  test('each copy has all of them, in a folder of its own', () => {
    const settings = stage();
    const copies = ['2026-11-26T00:00:00Z', '2026-11-27T00:00:00Z'].map((at) =>
      copyKeys(settings, path.join(folder, 'safe'), at),
    );
    expect(new Set(copies).size).toBe(2);
    for (const copy of copies) {
      expect(readFileSync(path.join(copy, 'keys/anchor-key.pem'), 'utf8')).toBe('anchor');
      expect(readFileSync(path.join(copy, 'kek'), 'utf8')).toBe('root');
    }
  });

  test.each(['data/copy', 'backups/copy', 'backups', '.'])('are not copied to %s, where data is', (place) => {
    expect(() => copyKeys(stage(), path.join(folder, place), '2026-11-27T00:00:00Z')).toThrow(
      'keys are kept apart from data',
    );
    expect(existsSync(path.join(folder, 'backups'))).toBe(false);
  });
});

describe('BACKUP_DIR', () => {
  test('is noted in the data folder for every later start', () => {
    const dataDir = path.join(folder, 'data');
    expect(backupFolderOf(dataDir)).toBeNull();
    noteBackupFolder(dataDir, path.join(folder, 'backups'));
    expect(backupFolderOf(dataDir)).toBe(path.join(folder, 'backups'));
  });

  test.each([
    ['backups', 'must be a full path'],
    [`/var/it's`, 'must be a full path'],
    ['/var/back ups', 'must be a full path'],
    ['data/backups', 'is inside the data folder'],
  ])('refuses %s', (place, why) => {
    const dataDir = path.join(folder, 'data');
    const at = place.startsWith('data/') ? path.join(folder, place) : place;
    expect(() => noteBackupFolder(dataDir, at)).toThrow(why);
    expect(backupFolderOf(dataDir)).toBeNull();
  });
});

test.each([
  ['backup', ['l'], 'there is no command "l"'],
  ['backup', ['keys'], 'there is no command "keys"'],
  ['backup', ['--keep', '0'], '--keep must be a whole number above zero'],
  ['backup', [], 'BACKUP_DIR is not set'],
  ['restore', ['--to', 'yesterday'], '--to must be a moment with its zone'],
  ['restore', ['--to', '2026-11-27T09:30:00'], '--to must be a moment with its zone'],
  ['restore', ['--to', '2999-01-01T00:00:00Z'], 'is yet to come'],
  ['restore', [], 'BACKUP_DIR is not set'],
])('%s %j is refused with the way out', (command, words, said) => {
  const { status, stderr } = spawnSync(process.execPath, [`src/processes/${command}.ts`, ...words], {
    encoding: 'utf8',
    env: {
      ...process.env,
      DATA_DIR: path.join(folder, 'data'),
      BACKUP_DIR: '',
      DATABASE_URL: '',
      MARKET: '',
      BROKER: '',
      APCA_API_KEY_ID: '',
    },
  });
  expect({ status, said: stderr }).toEqual({ status: 1, said: expect.stringContaining(said) });
});
