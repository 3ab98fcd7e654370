// What the role of the running product may not do, tried as that role.
import { afterAll, expect, test } from 'vitest';
import { testDatabase } from '#tests/support/test-database.ts';
import { openDatabase } from './database.ts';
import { findOwnerRights, grantToProduct } from './product-role.ts';

const { database, pool, owner, ownerUrl } = await testDatabase();
const asOwner = openDatabase(ownerUrl);
afterAll(() => asOwner.close());

test('the product is no superuser, owns nothing and may make nothing', async () => {
  const { rows } = await pool.query(`select rolsuper, rolcreaterole, rolcreatedb, rolbypassrls, rolreplication
    from pg_roles where rolname = current_user`);
  expect(Object.values(rows[0])).toEqual([false, false, false, false, false]);
  const owned = await pool.query(
    `select relname from pg_class where pg_has_role(current_user, relowner, 'USAGE')`,
  );
  expect(owned.rows).toEqual([]);
  expect(await findOwnerRights(database)).toBeNull();
  expect(await findOwnerRights(asOwner.database)).toBe('postgres');
});

test.each([
  `alter table deployments add column mine text`,
  `alter table orders drop constraint orders_pkey`,
  `alter table audit_log disable trigger audit_log_append_only`,
  `alter table audit_log disable trigger user`,
  `alter table deployments disable trigger all`,
  `alter table ledger_entries owner to current_user`,
  `drop table audit_log`,
  `drop trigger audit_log_append_only on audit_log`,
  `drop function seal_audit_row cascade`,
  `drop view audit_orders`,
  `create table mine (id integer)`,
  `create function refuse_change() returns trigger language plpgsql as 'begin return new; end'`,
  `create or replace function seal_audit_row() returns trigger language plpgsql as 'begin return null; end'`,
  `create trigger mine before insert on orders for each row execute function refuse_change()`,
  `create rule mine as on insert to audit_log do instead nothing`,
  `alter table pgboss.job add column mine text`,
  `set session_replication_role = replica`,
  `set role postgres`,
  `create role mine superuser`,
  `alter role current_user superuser`,
  `create extension dblink`,
])('is refused: %s', async (statement) => {
  await expect(pool.query(statement)).rejects.toThrow(/must be owner|permission denied|already exists/);
});

test.each([
  `update audit_log set actor = 'nobody'`,
  `delete from audit_log`,
  `truncate audit_log`,
  `insert into audit_log select seq + 1, at, 'nobody', action, subject, details, hash, md5(hash) from audit_log`,
  `insert into audit_queue (actor, action, subject, details) values ('nobody', 'a', 'b', '{}')`,
  `update audit_queue set actor = 'nobody'`,
  `delete from audit_queue`,
  `select write_audit('nobody', 'a', 'b', '{}'::jsonb)`,
  `copy audit_log to program 'true'`,
  `delete from kysely_migration`,
])('the audit log is written by nobody: %s', async (statement) => {
  await expect(pool.query(statement)).rejects.toThrow(/^permission denied/);
});

test('what the product changes is logged all the same, by the functions of the owner', async () => {
  const count = async () => Number((await pool.query('select count(*) from audit_log')).rows[0].count);
  const before = await count();
  await pool.query(`insert into settings (key, value) values ('of the product', '1')`);
  expect(await count()).toBe(before + 1);
});

test('of its own accord the product logs that a client was found or seen, and nothing else', async () => {
  const person = '00000000-0000-4000-8000-000000000001';
  await pool.query(`select audit_look('person.viewed', $1)`, [person]);
  await expect(pool.query(`select audit_look('deployment.changed', $1)`, [person])).rejects.toThrow(
    'deployment.changed is no look at a person',
  );
  const { rows } = await pool.query(`select action from audit_log where subject = $1`, [`person:${person}`]);
  expect(rows).toEqual([{ action: 'person.viewed' }]);
});

test('a temporary table of the same name does not take in what is logged', async () => {
  const client = await pool.connect();
  await client.query(`create temp table audit_queue (like public.audit_queue);
    create temp table audit_log (like public.audit_log)`);
  await client.query(`insert into public.settings (key, value) values ('beside', '1')`);
  const { rows } = await client.query(
    `select count(*) from public.audit_log where subject = 'setting:beside'`,
  );
  expect(rows).toEqual([{ count: '1' }]);
  client.release(true);
});

test('rights that were changed are put right by the next migration', async () => {
  await owner.query(`grant insert, update on audit_log to bellwether_product; grant truncate on orders to bellwether_product;
    revoke select on deployments from bellwether_product`);
  await asOwner.database.transaction().execute(grantToProduct);
  await expect(pool.query(`update audit_log set actor = 'x'`)).rejects.toThrow('permission denied');
  await expect(pool.query(`truncate orders`)).rejects.toThrow('permission denied');
  await pool.query('select from deployments');
});
