import { readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, describe, expect, test } from 'vitest';
import { refreshViews, VIEWS } from '#records/schema/views.ts';
import { testDatabase } from '#tests/support/test-database.ts';
import { parseInstant } from '#units/instant.ts';
import { quantity, quantityText } from '#units/quantity.ts';
import { tableTypes } from '../../../scripts/table-types.ts';
import { type BinaryRows, binaryRows } from './binary-rows.ts';
import { copyRows } from './copy-rows.ts';
import { type Database, openDatabase } from './database.ts';
import { idList } from './id-list.ts';
import { migrate } from './migrate.ts';

describe('rows in binary', async () => {
  const { database, pool, owner } = await testDatabase();

  /** One column of these values as PostgreSQL reads it, as text, in order. */
  async function stored<Value>(
    type: string,
    values: readonly Value[],
    write: (rows: BinaryRows, value: Value) => void,
  ): Promise<(string | null)[]> {
    await owner.query(`drop table if exists written; create table written (place integer, value ${type})`);
    const rows = binaryRows(2);
    for (const [place, value] of values.entries()) {
      rows.row();
      rows.integer(place);
      write(rows, value);
    }
    const into = { table: 'written', columns: ['place', 'value'] };
    await database.transaction().execute((trx) => copyRows(trx, into, rows.bytes()));
    const { rows: found } = await pool.query<{ value: string | null }>(
      `select value::text as value from written order by place`,
    );
    return found.map(({ value }) => value);
  }

  /** The same values as PostgreSQL reads them from text. */
  async function readAs(type: string, texts: readonly string[]): Promise<string[]> {
    const { rows } = await pool.query<{ value: string }>(
      `select value::${type}::text as value from unnest($1::text[]) with ordinality as t (value, place) order by place`,
      [texts],
    );
    return rows.map(({ value }) => value);
  }

  test('every text is read back as written, and null differs from every text', async () => {
    const texts = [
      'plain',
      'a\tb',
      'a\nb\r\n',
      'back\\slash',
      '\\N',
      '',
      'é ☂ 𝄞',
      '☂'.repeat(5_000),
      'x'.repeat(40_000),
    ];
    expect(await stored('text', [...texts, null], (rows, text) => rows.text(text))).toEqual([...texts, null]);
  });

  test('every decimal number is the one that PostgreSQL reads, with the same decimals', async () => {
    const edges = [
      '0',
      '0.00',
      '-0',
      '1',
      '-1',
      '10000',
      '9999.9999',
      '0.0001',
      '0.00001',
      '100000000',
      '1.50',
      '007.5',
    ];
    const exponents = ['1e-7', '-2.5e-9', '1e+21', '1.2345e+21', '3e-320'];
    const drawn = fc.sample(
      fc.oneof(
        fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
        fc.maxSafeInteger().map((value) => quantityText(quantity(value))),
        fc
          .tuple(fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }), fc.stringMatching(/^\d{1,20}$/))
          .map(([a, b]) => `${a}.${b}`),
      ),
      { numRuns: 3_000, seed: 7 },
    );
    const texts = [...edges, ...exponents, ...drawn];
    expect(await stored('numeric', texts, (rows, text) => rows.numeric(text))).toEqual(
      await readAs('numeric', texts),
    );
  });

  test('a text that is not a decimal number is refused before anything is sent', () => {
    for (const text of ['', 'NaN', 'Infinity', '1.', '.5', '1e5x', '0x1', ' 1'])
      expect(() => binaryRows(1).numeric(text)).toThrow(RangeError);
  });

  test('ids, whole numbers, times and documents are read back as written', async () => {
    const ids = [
      '00000000-0000-0000-0000-000000000000',
      'b8c9540a-a482-4195-b422-a92fe59f6e9d',
      'FFFFFFFF-FFFF-4FFF-BFFF-FFFFFFFFFFFF',
    ];
    const lower = ids.map((id) => id.toLowerCase());
    expect(await stored('uuid', [...ids, null], (rows, id) => rows.uuid(id))).toEqual([...lower, null]);
    const numbers = [0, 1, -1, 2 ** 31 - 1, -(2 ** 31)];
    expect(await stored('integer', numbers, (rows, value) => rows.integer(value))).toEqual(
      numbers.map(String),
    );
    const times = [
      '2026-11-22T18:15:42.543Z',
      '2000-01-01T00:00:00.000Z',
      '1999-12-31T23:59:59.999Z',
      '1970-01-01T00:00:00.001Z',
      '2199-06-01T00:00:00.000Z',
    ];
    const micros = await stored('timestamptz', [...times, null], (rows, time) =>
      rows.instant(time === null ? null : parseInstant(time)),
    );
    expect(micros.map((text) => text && new Date(text).toISOString())).toEqual([...times, null]);
    const documents = [{ a: ['☂', 1, null] }, [], null];
    expect(await stored('jsonb', documents, (rows, value) => rows.json(value))).toEqual([
      '{"a": ["☂", 1, null]}',
      '[]',
      null,
    ]);
  });

  test('a text that is not a UUID is refused before anything is sent', () => {
    for (const text of [
      '',
      'b8c9540a',
      'b8c9540a-a482-4195-b422-a92fe59f6e9',
      'b8c9540a-a482-4195-b422-a92fe59f6e9dd',
      'b8c9540a-a482-4195-b422-a92fe59f6e9g',
      'b8c9540a-a482-4195-b422-a92fe59f6e9☂',
    ])
      expect(() => binaryRows(1).uuid(text), text).toThrow(RangeError);
  });
});

describe('copied rows', async () => {
  const { database, pool, owner } = await testDatabase();
  await owner.query(`create table notes (id integer primary key, text text)`);
  const into = { table: 'notes', columns: ['id', 'text'] };
  const notes = (...pairs: [number, string][]) => {
    const rows = binaryRows(2);
    for (const [id, text] of pairs) {
      rows.row();
      rows.integer(id);
      rows.text(text);
    }
    return rows.bytes();
  };
  const stored = async () => (await pool.query(`select id, text from notes order by id`)).rows;

  test('an existing row fails the whole batch, and the connection still works', async () => {
    await database.transaction().execute((trx) => copyRows(trx, into, notes([0, 'first'])));
    const before = await stored();
    expect(before).toEqual([{ id: 0, text: 'first' }]);
    const repeat = database.transaction().execute(async (trx) => {
      await copyRows(trx, into, notes([900, 'new']));
      await copyRows(trx, into, notes([901, 'new'], [0, 'repeated']));
    });
    await expect(repeat).rejects.toMatchObject({ code: '23505' });
    expect(await stored()).toEqual(before);
    expect((await sql<{ one: number }>`select 1 as one`.execute(database)).rows).toEqual([{ one: 1 }]);
  });

  test('an order of an unknown deployment is refused', async () => {
    const insert = pool.query(
      `insert into orders (id, deployment_id, broker_connection_id, client_order_id, cause, purpose, attempt, symbol, side,
       quantity, limit_price, reference_price, status, decided_at)
     values (gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 'BW1', 'c', 'rebalance', 1, 'AAA', 'buy', 1, 1, 1,
       'intended', now())`,
    );
    await expect(insert).rejects.toMatchObject({ code: '23503' });
  });
});

describe('a list of ids', async () => {
  const { database } = await testDatabase();
  const read = async (ids: readonly string[]) => {
    const { rows } = await sql<{ ids: string[] }>`select ${idList(ids)}::uuid[] as ids`.execute(database);
    return rows[0]?.ids;
  };

  test('any number of ids arrives as sent, in order', async () => {
    const many = Array.from({ length: 3_000 }, () => crypto.randomUUID());
    for (const ids of [[], many.slice(0, 1), many, many.toReversed()]) expect(await read(ids)).toEqual(ids);
  });

  test('a text that is not a UUID is refused before anything is sent', () => {
    expect(() => idList([crypto.randomUUID(), 'null'])).toThrow('not a UUID: null');
  });
});

describe('transactions and locks', async () => {
  const { url, pool, owner } = await testDatabase();

  test('the server ends an abandoned transaction, and its locks are free', async () => {
    await owner.query('create table held (id integer primary key); insert into held values (1)');
    const sleeper = openDatabase(url, { patienceMs: 150 });
    const client = await sleeper.pool.connect();
    await client.query('begin');
    await client.query('select * from held for update');
    await pool.query('select * from held for update');
    await expect(client.query('commit')).rejects.toThrow();
    client.release(true);
    await sleeper.close();
  });

  test('a statement that waits too long for a lock fails', async () => {
    const holder = await pool.connect();
    await holder.query('begin');
    await holder.query('lock table held');
    const waiting = openDatabase(url, { patienceMs: 150 });
    await expect(waiting.pool.query('select * from held')).rejects.toMatchObject({ code: '55P03' });
    await holder.query('rollback');
    holder.release();
    await waiting.close();
  });
});

/** As its owner has it, who migrates. */
async function ownedDatabase(): Promise<Database> {
  const { ownerUrl } = await testDatabase();
  const handle = openDatabase(ownerUrl);
  afterAll(() => handle.close());
  return handle.database;
}

describe('the version of a database', async () => {
  const database = await ownedDatabase();

  test('an up-to-date database is not changed', async () => {
    await migrate(database);
    expect((await sql`select from trading_shards`.execute(database)).rows).toHaveLength(65);
  });

  test('a database of another version is refused with its place and the remedy, and is not touched', async () => {
    await sql`update kysely_migration set name = '0001-people' where name = '0001-schema'`.execute(database);
    await expect(migrate(database, { place: 'The data folder /srv/bellwether' })).rejects.toThrow(
      /^The data folder \/srv\/bellwether holds the records of another version of Bellwether \(migration 0001-people\).*Nothing in it was changed.*DATA_DIR.*DATABASE_URL/,
    );
    expect((await sql`select name from kysely_migration`.execute(database)).rows).toContainEqual({
      name: '0001-people',
    });
    expect((await sql`select from trading_shards`.execute(database)).rows).toHaveLength(65);
  });
});

describe('views made from the rules', async () => {
  const database = await ownedDatabase();
  const refresh = () => database.transaction().execute(refreshViews);

  async function definitionOf(name: string): Promise<string | undefined> {
    const { rows } = await sql<{ definition: string }>`
    select definition from pg_views where schemaname = 'public' and viewname = ${name}`.execute(database);
    return rows[0]?.definition;
  }

  test('a migrated database has each view as the rules define it', async () => {
    for (const { name, query } of VIEWS) {
      await sql.raw(`create view as_the_rules_make_it as ${query}`).execute(database);
      expect(await definitionOf(name)).toBe(await definitionOf('as_the_rules_make_it'));
      await sql`drop view as_the_rules_make_it`.execute(database);
    }
    expect(await refresh()).toBe(false);
  });

  test('a view older than a rule change is rebuilt at the next start', async () => {
    const asItShouldBe = await definitionOf('live_deployments');
    await sql
      .raw(`create or replace view live_deployments as select * from deployments where status <> 'stopped';
      comment on view live_deployments is 'of an earlier rule'`)
      .execute(database);
    expect(await refresh()).toBe(true);
    expect(await definitionOf('live_deployments')).toBe(asItShouldBe);
  });

  test('a view over all columns includes one that a migration added', async () => {
    await sql`alter table deployments add column added integer`.execute(database);
    expect(await refresh()).toBe(true);
    expect(await definitionOf('live_deployments')).toContain('added');
  });

  test('the states in SQL are those of the life cycle', () => {
    const [live, following] = ['live_deployments', 'following_deployments'].map(
      (name) => VIEWS.find((view) => view.name === name)?.query,
    );
    expect(live).toBe("select * from deployments where status not in ('liquidated', 'stopped')");
    expect(following).toBe(
      "select * from deployments where status in ('active', 'frozen') and coalesce(requested_status, '') in ('', 'active')",
    );
  });
});

describe('types of the tables', async () => {
  const { owner } = await testDatabase();

  test('the types of the tables are those of the migrated schema: npm run tables writes them', async () => {
    const written = readFileSync(path.resolve(import.meta.dirname, '../tables.ts'), 'utf8');
    expect(written).toBe(await tableTypes(owner));
  });

  test('a closed list, an id, a default and a view are generated as they are', async () => {
    const text = await tableTypes(owner);
    expect(text).toContain("  side: 'buy' | 'sell';");
    expect(text).toContain('  broker_connection_id: BrokerConnectionId;');
    expect(text).toContain("  status: Generated<'draft' | 'published' | 'retired'>;");
    expect(text).toContain('  number: GeneratedAlways<string>;');
    expect(text).toContain('type LiveDeploymentsTable = {\n  id: DeploymentId;');
  });

  test('a column of an unknown type is refused by name', async () => {
    await owner.query('alter table settings add column place point');
    await expect(tableTypes(owner)).rejects.toThrow('settings.place: no TypeScript type is known for point');
  });
});
