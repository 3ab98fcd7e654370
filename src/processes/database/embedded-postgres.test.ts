import { spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, expect, test } from 'vitest';
import { type EmbeddedDatabase, findRunningDatabase, startDatabase } from './embedded-postgres.ts';

const dataDir = mkdtempSync(path.join(tmpdir(), 'bellwether-postgres-'));
let server: EmbeddedDatabase;

afterAll(async () => {
  await server.stop();
  rmSync(server.home, { recursive: true, force: true });
  rmSync(dataDir, { recursive: true, force: true });
});

test('starts after a kill even if an unrelated process now has the id in the lock file', async () => {
  server = await startDatabase(dataDir);
  const lock = path.join(server.home, 'cluster', 'postmaster.pid');
  const text = readFileSync(lock, 'utf8');
  process.kill(Number(text.split('\n', 1)[0]), 'SIGKILL');
  await sleep(300);
  expect(findRunningDatabase(dataDir)).toBeNull();

  const { uid, gid } = statSync(lock);
  const stranger = spawn('sleep', ['60'], process.getuid?.() === 0 ? { uid, gid } : {});
  try {
    writeFileSync(lock, text.replace(/^\d+/, String(stranger.pid)));
    expect(findRunningDatabase(dataDir)).toBeNull();
    server = await startDatabase(dataDir);
    expect(findRunningDatabase(dataDir)).toEqual({ url: server.url, ownerUrl: server.ownerUrl });
    expect(stranger.exitCode).toBeNull();
  } finally {
    stranger.kill();
  }
});

test('a data folder that was moved finds its database, and no start makes another one beside it', async () => {
  const first = mkdtempSync(path.join(tmpdir(), 'bellwether-moving-'));
  const made = await startDatabase(first);
  const client = new pg.Client({ connectionString: made.ownerUrl });
  await client.connect();
  await client.query('create table kept (value text)');
  await client.end();
  await made.stop();
  const moved = `${first}-moved`;
  renameSync(first, moved);
  const again = await startDatabase(moved);
  const reader = new pg.Client({ connectionString: again.ownerUrl });
  await reader.connect();
  const { rows } = await reader.query(`select to_regclass('kept') is not null as found`);
  expect(rows).toEqual([{ found: true }]);
  await reader.end();
  await again.stop();

  rmSync(path.join(moved, 'postgres-password'));
  const cluster = path.join(again.home, 'cluster');
  await expect(startDatabase(moved)).rejects.toThrow(/its password in .*postgres-password is missing/);
  expect(existsSync(path.join(cluster, 'PG_VERSION'))).toBe(true);
  rmSync(again.home, { recursive: true, force: true });
  rmSync(moved, { recursive: true, force: true });
});

test('as root the database is in the data folder where its account can enter that', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'bellwether-open-'));
  chmodSync(folder, 0o755);
  const open = await startDatabase(folder);
  expect(open.home).toBe(path.join(folder, 'postgres'));
  await open.stop();
  rmSync(folder, { recursive: true, force: true });
});
