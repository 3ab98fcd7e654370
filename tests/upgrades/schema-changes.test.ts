// The rule of changes: what was released never changes, and a change that comes after it lets the last release run on. See
// docs/operators/upgrades.md.
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { openDatabase } from '#records/postgres/database.ts';
import { migrate } from '#records/postgres/migrate.ts';
import { SCHEMA_CHANGES } from '#records/schema/migrations.ts';
import { testDatabase } from '#tests/support/test-database.ts';
import { checksumOf, jobsVersion, readReleased } from '../../scripts/release/released-schema.ts';
import { refusedChanges } from './refused-changes.ts';
import { readShape } from './schema-shape.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const released = readReleased(ROOT);
const isReleased = (name: string) => released.changes[name] !== undefined;

describe('changes of the schema', () => {
  test('a released change stays as it was released: write another one after it instead', () => {
    const now = Object.fromEntries(
      SCHEMA_CHANGES.filter(({ name }) => isReleased(name)).map((change) => [
        change.name,
        checksumOf(change),
      ]),
    );
    const then = Object.fromEntries(
      Object.entries(released.changes).map(([name, { sha256 }]) => [name, sha256]),
    );
    expect(
      now,
      'put it into a new file of src/records/schema/changes: see docs/operators/upgrades.md',
    ).toEqual(then);
  });

  test('they are numbered in order, what is not released comes last, and each runs with an earlier one', () => {
    const names = SCHEMA_CHANGES.map(({ name }) => name);
    expect(names.map((name) => Number(name.slice(0, 4)))).toEqual(names.map((_, i) => i + 1));
    const states = names.map(isReleased);
    expect(states).toEqual(states.toSorted((a, b) => Number(b) - Number(a)));
    for (const [place, { runsWith }] of SCHEMA_CHANGES.entries())
      expect(names.slice(0, Math.max(1, place))).toContain(runsWith);
  });

  test('the job queue keeps the tables of the last release: a newer pg-boss with others needs a drill of its own', () => {
    expect(jobsVersion()).toBe(released.jobs);
  });

  test('a contract names a release that did without, and the versions before it do not run any more', () => {
    const order = Object.values(released.changes).map(({ since }) => since);
    for (const { name, runsWith, contracts = [] } of SCHEMA_CHANGES)
      for (const { unusedSince } of contracts) {
        expect(order, name).toContain(unusedSince);
        const first = Object.entries(released.changes).find(([, { since }]) => since === unusedSince)![0];
        expect(runsWith >= first, `${name} runs with ${runsWith}, which is older than ${unusedSince}`).toBe(
          true,
        );
      }
  });

  test('what is called a harmless trigger is a new trigger', () => {
    for (const { harmlessTriggers = [] } of SCHEMA_CHANGES)
      for (const line of harmlessTriggers) expect(line).toMatch(/^trigger \S+ \S+ is new$/);
  });

  test('what is not released yet takes nothing from the last release, and refuses nothing that it writes', async () => {
    const { owner, ownerUrl } = await testDatabase({ empty: true });
    const handle = openDatabase(ownerUrl);
    afterAll(() => handle.close());
    await migrate(handle.database, { changes: SCHEMA_CHANGES.filter(({ name }) => isReleased(name)) });
    const before = await readShape(owner);
    expect(before.column.size).toBeGreaterThan(500);
    await migrate(handle.database);
    const declared = SCHEMA_CHANGES.flatMap(({ contracts = [], harmlessTriggers = [] }) => [
      ...contracts.map(({ change }) => change),
      ...harmlessTriggers,
    ]);
    expect(
      refusedChanges(before, await readShape(owner)),
      'the last release would fail here: expand first, and contract a release later. See docs/operators/upgrades.md',
    ).toEqual(declared.toSorted());
  });
});

describe('the judge of a change', async () => {
  const { owner } = await testDatabase();
  await owner.query(`
    create table things (id integer primary key, word text check (word in ('one', 'two')), size integer not null default 1, note text);
    create function same(a integer) returns integer language sql as 'select a';
    create view all_things as select * from things;
    grant select on things to bellwether_product`);

  /** Inside a transaction that is taken back. */
  async function judge(change: string): Promise<string[]> {
    const client = await owner.connect();
    try {
      await client.query('begin');
      const before = await readShape(client);
      await client.query(change);
      return refusedChanges(before, await readShape(client));
    } finally {
      await client.query('rollback');
      client.release();
    }
  }

  test.each([
    ['drop view all_things', 'table all_things is gone'],
    ['drop table things cascade', 'table all_things is gone', 'table things is gone'],
    ['alter table things drop column note cascade', 'column things.note is gone', 'table all_things is gone'],
    ['alter table things rename column note to notes', 'column things.note is gone'],
    ['alter table things rename to items', 'table things is gone'],
    [
      'drop view all_things; alter table things alter size type bigint',
      'column things.size has another type, bigint',
      'table all_things is gone',
    ],
    ['alter table things alter note set not null', 'column things.note must not be null any more'],
    ['alter table things alter size drop default', 'column things.size is not filled by itself any more'],
    ['alter table things add added integer not null', 'column things.added is new and must be written'],
    [
      `alter table things add check (length(note) < 5)`,
      'constraint things CHECK ((length(note) < 5)) is new',
    ],
    [
      `alter table things drop constraint things_word_check, add check (word in ('one', 'three'))`,
      `constraint things CHECK ((word = ANY (ARRAY['one'::text, 'three'::text]))) is new`,
    ],
    ['alter table things add unique (note)', 'constraint things UNIQUE (note) is new'],
    [
      'create unique index on things (lower(note)) where size > 1',
      'index things USING btree (lower(note)) WHERE (size > 1) is new',
    ],
    [
      'alter table things add foreign key (size) references things (id)',
      'constraint things FOREIGN KEY (size) REFERENCES things(id) is new',
    ],
    [
      'create trigger guarded before update on things for each row execute function refuse_change()',
      'trigger things guarded is new',
    ],
    [
      `create or replace function same(a integer) returns integer language sql as 'select a + 1'`,
      'function same(a integer) is another',
    ],
    ['drop function same(integer)', 'function same(a integer) is gone'],
    ['alter table things enable row level security', 'policy things row-level security is new'],
    ['revoke select on things from bellwether_product', 'right things bellwether_product SELECT is gone'],
  ])('%s', async (change, ...refused) => {
    expect(await judge(change)).toEqual(refused);
  });

  test.each([
    'alter table things add added integer',
    'alter table things add added integer not null default 7 check (added > 0)',
    'alter table things add added integer unique',
    'create table others (id integer primary key references things)',
    `alter table things drop constraint things_word_check, add check (word in ('one', 'two', 'three'))`,
    'alter table things drop constraint things_word_check',
    'alter table things alter size drop not null',
    'create index on things (note)',
    'create view more as select id from things',
    "create function other() returns integer language sql as 'select 1'",
  ])('lets through: %s', async (change) => {
    expect(await judge(change)).toEqual([]);
  });
});
