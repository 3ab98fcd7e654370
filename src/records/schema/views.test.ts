import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { VIEWS, refreshViews } from './views.ts';
import { testDatabase } from '../../../tests/support/test-database.ts';

const { database } = await testDatabase();

async function definitionOf(name: string): Promise<string | undefined> {
  const { rows } = await sql<{ definition: string }>`
    select definition from pg_views where schemaname = 'public' and viewname = ${name}`.execute(database);
  return rows[0]?.definition;
}

test('a migrated database has each view as the rules make it', async () => {
  for (const { name, query } of VIEWS) {
    await sql.raw(`create view as_the_rules_make_it as ${query}`).execute(database);
    expect(await definitionOf(name)).toBe(await definitionOf('as_the_rules_make_it'));
    await sql`drop view as_the_rules_make_it`.execute(database);
  }
  expect(await refreshViews(database)).toBe(false);
});

test('a view from before a rule changed is made again at the next start', async () => {
  const asItShouldBe = await definitionOf('live_deployments');
  await sql
    .raw(`create or replace view live_deployments as select * from deployments where status <> 'stopped';
      comment on view live_deployments is 'of an earlier rule'`)
    .execute(database);
  expect(await refreshViews(database)).toBe(true);
  expect(await definitionOf('live_deployments')).toBe(asItShouldBe);
});

test('a view over all columns takes in one that a migration added', async () => {
  await sql`alter table deployments add column added integer`.execute(database);
  expect(await refreshViews(database)).toBe(true);
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
