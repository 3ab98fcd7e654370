import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
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
    expect(findRunningDatabase(dataDir)).toBe(server.url);
    expect(stranger.exitCode).toBeNull();
  } finally {
    stranger.kill();
  }
});
