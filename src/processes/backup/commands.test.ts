// The commands as an operator types them, on a database without the product.
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterAll, expect, test } from 'vitest';
import { startDatabase } from '../database/embedded-postgres.ts';
import { noteBackupFolder } from '../database/wal-archive.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'bellwether-commands-'));
chmodSync(folder, 0o755);
const dataDir = path.join(folder, 'data');
const backupDir = path.join(folder, 'backups');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function run(command: string, ...words: string[]) {
  const settings = {
    DATA_DIR: dataDir,
    BACKUP_DIR: backupDir,
    DATABASE_URL: '',
    MARKET: '',
    BROKER: '',
    APCA_API_KEY_ID: '',
  };
  const env = { ...process.env, ...settings };
  const { status, stdout, stderr } = spawnSync(process.execPath, [`src/processes/${command}.ts`, ...words], {
    encoding: 'utf8',
    env,
  });
  return { status, stdout, stderr };
}

async function onDatabase<Value>(work: (client: pg.Client) => Promise<Value>): Promise<Value> {
  const server = await startDatabase(dataDir);
  const client = new pg.Client({ connectionString: server.ownerUrl });
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end();
    await server.stop();
  }
}

test('a database is backed up, lost with its folder, and restored with what was written after the backup', {
  timeout: 240_000,
}, async () => {
  noteBackupFolder(dataDir, backupDir);
  await onDatabase((client) => client.query('create table kept (value text)'));
  expect(run('backup')).toMatchObject({ status: 0, stderr: '' });
  expect(run('backup', 'list').stdout).toMatch(/can be restored to .* and later/);
  expect(run('backup', 'verify')).toMatchObject({ status: 0, stdout: expect.stringMatching(/: whole\n$/) });
  // A server that stops archives the rest of its log.
  await onDatabase((client) => client.query(`insert into kept values ('after the backup')`));
  rmSync(dataDir, { recursive: true });
  const { status, stdout, stderr } = run('restore');
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout).toMatch(/^Restored from the base backup of .*\nThe last transaction is of /);
  expect(stdout).toContain('put the keys of that time back');
  expect((await onDatabase((client) => client.query('select value from kept'))).rows).toEqual([
    { value: 'after the backup' },
  ]);
  // Once more, over what is there: it is moved aside.
  const again = run('restore');
  expect(again).toMatchObject({ status: 0, stderr: '' });
  const aside = /What was there is in (.*)\.\n/.exec(again.stdout)?.[1];
  expect(existsSync(path.join(aside ?? '', 'PG_VERSION'))).toBe(true);
});
