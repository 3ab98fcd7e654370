// The disk of the backups goes away and comes back: the desk knows, and forgets by itself.
import { chmodSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { type EmbeddedDatabase, startDatabase } from '#processes/database/embedded-postgres.ts';
import { backupsOf, clusterIdOf, noteBackupFolder } from '#processes/database/wal-archive.ts';
import { openDatabase } from '#records/postgres/database.ts';
import { migrateAsOwner } from '#records/postgres/migrate.ts';
import { reviewIncidents } from '#server/operations/review-incidents.ts';
import { ownerPool } from '#tests/support/test-database.ts';
import { instant } from '#units/instant.ts';
import { ARCHIVE_DRILL } from './drill-desk.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'archive-drill-'));
// PostgreSQL runs as an account of its own.
chmodSync(folder, 0o755);
let server: EmbeddedDatabase | null = null;
afterAll(async () => {
  await server?.stop();
  if (server !== null) rmSync(server.home, { recursive: true, force: true });
  rmSync(folder, { recursive: true, force: true });
});

test('an archive that fails is an incident, and clears with the first segment that reaches it', {
  timeout: 180_000,
}, async () => {
  const [dataDir, backupDir] = [path.join(folder, 'data'), path.join(folder, 'backups')];
  noteBackupFolder(dataDir, backupDir);
  server = await startDatabase(dataDir);
  await migrateAsOwner(server.ownerUrl);
  const handle = openDatabase(server.url);
  const owner = ownerPool(server.ownerUrl);
  const { log } = backupsOf(backupDir, clusterIdOf(path.join(server.home, 'cluster')));
  const look = async () => {
    await reviewIncidents({ records: handle, now: () => instant(Date.now()) });
    const { rows } = await handle.pool.query(
      `select kind, severity, facts ->> 'segment' as segment, ended_how from incidents order by since`,
    );
    return rows;
  };
  const switchSegment = async () => {
    await owner.query(
      `create table if not exists written (at timestamptz); insert into written values (now())`,
    );
    return (await owner.query(`select pg_walfile_name(pg_switch_wal()) as segment`)).rows[0]
      .segment as string;
  };
  const first = await switchSegment();
  const archived = async () =>
    (await owner.query(`select last_archived_wal as name from pg_stat_archiver`)).rows[0].name;
  await expect.poll(archived, { timeout: 60_000 }).toBe(first);
  expect(await look()).toEqual([]);

  renameSync(log, `${log}.away`);
  const segment = await switchSegment();
  await expect.poll(look, { timeout: 90_000, interval: 1_000 }).toHaveLength(1);
  expect(await look()).toEqual([{ kind: ARCHIVE_DRILL[0], severity: 'today', segment, ended_how: null }]);

  renameSync(`${log}.away`, log);
  // It waits a minute after three failures, unless there is another segment.
  await switchSegment();
  await expect
    .poll(async () => (await look())[0].ended_how, { timeout: 120_000, interval: 1_000 })
    .toBe('cleared');
  expect(await look()).toHaveLength(1);
  await owner.end();
  await handle.close();
});
