// Two versions at one database: the older one runs on while the newer one migrates, and neither runs where it cannot.
import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, describe, expect, test } from 'vitest';
import { openRoleDatabase } from '#processes/database/role-database.ts';
import { openDatabase } from '#records/postgres/database.ts';
import { migrate, migrateAsOwner } from '#records/postgres/migrate.ts';
import { asEverybody } from '#records/postgres/row-scope.ts';
import { findSchema, readSchemaState } from '#records/postgres/schema-state.ts';
import { SCHEMA_CHANGES } from '#records/schema/migrations.ts';
import { testDatabase } from '#tests/support/test-database.ts';

const FIRST = SCHEMA_CHANGES.slice(0, 1);
const NEWEST = SCHEMA_CHANGES.at(-1)!.name;

async function emptyDatabase() {
  const records = await testDatabase({ empty: true });
  const asOwner = openDatabase(records.ownerUrl, { onIdleError: () => undefined });
  afterAll(() => asOwner.close());
  const names = async () =>
    (await records.owner.query(`select name from kysely_migration order by name`)).rows.map(
      ({ name }) => name,
    );
  return { ...records, asOwner: asOwner.database, names };
}

function startMigrating(ownerUrl: string): { readonly child: ChildProcess; readonly ended: Promise<string> } {
  const child = spawn(process.execPath, [path.join(import.meta.dirname, 'migrating-process.ts')], {
    env: { ...process.env, OWNER_URL: ownerUrl },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const ended = new Promise<string>((resolve) =>
    child.once('close', (code, signal) => resolve(code === 0 ? 'migrated' : `${signal ?? code} ${said}`)),
  );
  return { child, ended };
}

const ALL = SCHEMA_CHANGES.map(({ name }) => name);

describe('migrating', () => {
  test('processes that migrate at once make one schema, from nothing and from an older one', {
    timeout: 120_000,
  }, async () => {
    const { ownerUrl, names, asOwner } = await emptyDatabase();
    const many = () => Promise.all([1, 2, 3].map(() => startMigrating(ownerUrl).ended));
    expect(await many()).toEqual(['migrated', 'migrated', 'migrated']);
    expect(await names()).toEqual(ALL);
    const older = await emptyDatabase();
    await migrate(older.asOwner, { changes: FIRST });
    expect(await Promise.all([1, 2].map(() => startMigrating(older.ownerUrl).ended))).toEqual([
      'migrated',
      'migrated',
    ]);
    expect(await older.names()).toEqual(ALL);
    expect((await findSchema(asOwner)).state).toBe('current');
  });

  test('one that is killed on the way leaves what the next one goes on from', {
    timeout: 120_000,
  }, async () => {
    const { ownerUrl, owner, names } = await emptyDatabase();
    for (const afterMs of [400, 700, 1_000, 1_300]) {
      const { child, ended } = startMigrating(ownerUrl);
      await pause(afterMs);
      child.kill('SIGKILL');
      await ended;
    }
    expect(await startMigrating(ownerUrl).ended).toBe('migrated');
    expect(await names()).toEqual(ALL);
    const { rows } = await owner.query(`select count(*)::int as queues from pgboss.queue`);
    expect(rows[0].queues).toBeGreaterThan(5);
  });

  test('no statement of the running version fails meanwhile, in the role of the API and of the trader', {
    timeout: 120_000,
  }, async () => {
    const { url, ownerUrl, asOwner } = await emptyDatabase();
    await migrate(asOwner, { changes: FIRST });
    const api = openDatabase(url, { poolSize: 2, asApi: true });
    const trader = openDatabase(url, { poolSize: 2 });
    const migrated = new AbortController();
    let statements = 0;
    const reading = (read: () => Promise<unknown>) => async () => {
      while (!migrated.signal.aborted) {
        await read();
        statements += 1;
      }
    };
    const reads = [
      reading(() => asEverybody(() => api.pool.query('select * from orders'))),
      reading(() => asEverybody(() => api.pool.query('select * from live_deployments'))),
      reading(() => trader.pool.query('select * from following_deployments')),
      reading(() => trader.pool.query('select * from open_orders')),
    ].map((read) => read());
    await pause(100);
    // The columns have changed, so that every view is made again.
    await migrateAsOwner(ownerUrl);
    for (let i = 0; i < 5; i++) {
      await sql`comment on view live_deployments is 'of an earlier rule'`.execute(asOwner);
      await migrateAsOwner(ownerUrl);
    }
    migrated.abort();
    await Promise.all(reads);
    expect(statements).toBeGreaterThan(20);
    await api.close();
    await trader.close();
  });

  test('a change waits behind a long read without making everybody wait behind it', {
    timeout: 60_000,
  }, async () => {
    const { url, ownerUrl, asOwner, pool, names } = await emptyDatabase();
    await migrate(asOwner, { changes: FIRST });
    const reader = await pool.connect();
    await reader.query('begin; select from backtests');
    const migrating = migrateAsOwner(ownerUrl);
    // Whoever came behind the change would wait for the reader as well.
    const others = openDatabase(url, { poolSize: 1 });
    for (let i = 0; i < 3; i++) {
      await pause(1_500);
      await others.pool.query('select from backtests');
    }
    expect(await names()).toEqual(['0001-schema']);
    await reader.query('rollback');
    reader.release();
    await migrating;
    expect(await names()).toEqual(ALL);
    await others.close();
  });
});

describe('a process', () => {
  test('does not start on the schema of an earlier version, or on none, and says what to run', async () => {
    const { url, asOwner } = await emptyDatabase();
    await migrate(asOwner, { changes: FIRST });
    await expect(openRoleDatabase(url, { poolSize: 1 })).rejects.toThrow(
      /has the schema of an earlier version \(it lacks 0002-upgrades\)\. Run npm run catalogue of this version first, with DATABASE_OWNER_URL/,
    );
    expect((await readSchemaState(url)).schema).toBe('older');
    await sql`delete from kysely_migration`.execute(asOwner);
    await expect(openRoleDatabase(url, { poolSize: 1 })).rejects.toThrow(
      /is empty\. Run npm run catalogue first/,
    );
  });

  test('runs on a newer schema that says so, and changes nothing there', async () => {
    const { url, owner, asOwner, names } = await emptyDatabase();
    await migrate(asOwner);
    await owner.query(`insert into kysely_migration (name, timestamp) values ('0099-later', 'now');
      insert into schema_reach (migration, runs_with) values ('0099-later', '${NEWEST}');
      comment on view live_deployments is 'of a newer rule'`);
    const role = await openRoleDatabase(url, { poolSize: 1, asApi: true });
    await role.close();
    expect(await readSchemaState(url)).toMatchObject({ schema: 'newer', newest: '0099-later' });
    await migrate(asOwner);
    expect(await names()).toEqual([...ALL, '0099-later']);
    const { rows } = await owner.query(`select obj_description('live_deployments'::regclass) as comment`);
    expect(rows).toEqual([{ comment: 'of a newer rule' }]);
  });

  test('stops where the newer schema has done away with what it needs, and where nothing says that it runs', async () => {
    const { url, owner, asOwner } = await emptyDatabase();
    await migrate(asOwner);
    await owner.query(`insert into kysely_migration (name, timestamp) values ('0098-later', 'now'), ('0099-later', 'now');
      insert into schema_reach (migration, runs_with) values ('0098-later', '${NEWEST}'), ('0099-later', '0098-later')`);
    const refused =
      /has the schema of another version \(0098-later\), on which this one does not run: versions that know 0098-later do\. Install/;
    await expect(openRoleDatabase(url, { poolSize: 1 })).rejects.toThrow(refused);
    await expect(migrate(asOwner)).rejects.toThrow(/another version of Bellwether \(migration 0098-later\)/);
    await owner.query(`delete from schema_reach where migration = '0099-later'`);
    await expect(openRoleDatabase(url, { poolSize: 1 })).rejects.toThrow(
      /on which this one does not run\. Install/,
    );
  });
});
