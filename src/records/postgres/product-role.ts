// The running product signs in as a member of these roles, which own nothing: it reads and writes rows, and can neither change
// the schema nor switch a trigger off. The audit log it only reads; the log is written by the owner's functions.
import { sql } from 'kysely';
import type { Database, Transaction } from './database.ts';
import { COPIED } from '../schema/views.ts';
import { API_ROLE } from './row-scope.ts';

/** Trader, worker and commands, which see every row. */
export const PRODUCT_ROLE = 'bellwether_product';

/** What the product may not write although it may read it. */
const READ_ONLY = ['audit_log', 'audit_queue', 'kysely_migration', 'kysely_migration_lock', 'schema_reach'];

/** Views of them, for the trader. */
const OF_COPIED = ['open_orders', 'orders_at_broker'];

/** As the owner of the schema, which may need an administrator for it. */
export async function makeProductRoles(database: Database): Promise<void> {
  const missing = async () => {
    const { rows } = await sql<{ name: string }>`
      select name from unnest(${[PRODUCT_ROLE, API_ROLE]}::text[]) as name
      where name not in (select rolname from pg_roles)`.execute(database);
    return rows.map(({ name }) => name);
  };
  // Another database of the same server may have made it meanwhile.
  for (const name of await missing())
    await sql`create role ${sql.id(name)} nologin`.execute(database).catch(() => undefined);
  const [name] = await missing();
  if (name !== undefined)
    throw new Error(
      `the role ${name} is missing, and the owner of this database may not make it. As an administrator of the server: ` +
        `create role ${name} nologin; grant ${name} to the user of DATABASE_URL`,
    );
}

/** As the owner of the schema. Changes nothing where every right is as it should be. */
export async function grantToProduct(trx: Transaction): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('rights', 0))`.execute(trx);
  const wrong = await sql<{ role: string; what: string; wanted: string }>`
      select r.role, format('%s %I.%I', case c.relkind when 'S' then 'sequence' else 'table' end, n.nspname, c.relname) as what,
        w.wanted
      from unnest(${[PRODUCT_ROLE, API_ROLE]}::text[]) as r(role)
      cross join pg_class c join pg_namespace n on n.oid = c.relnamespace
      cross join lateral (select case
        when c.relkind = 'S' then 'USAGE'
        -- They show the rows of everybody: the auditor reads them.
        when c.relkind = 'v' and starts_with(c.relname, 'audit_') then ''
        when n.nspname = 'public' and c.relname = any(${READ_ONLY}::text[]) then 'SELECT'
        when n.nspname = 'own_rows' then case when r.role = ${API_ROLE} then 'SELECT,UPDATE' else '' end
        when r.role = ${API_ROLE} and n.nspname = 'public' and c.relname = any(${[...COPIED, ...OF_COPIED]}::text[]) then ''
        else 'DELETE,INSERT,SELECT,UPDATE' end as wanted) w
      where n.nspname in ('public', 'pgboss', 'own_rows') and c.relkind in ('r', 'p', 'v', 'S') and w.wanted <> coalesce((
        select string_agg(distinct a.privilege_type, ',' order by a.privilege_type)
        from aclexplode(c.relacl) a where a.grantee = r.role::regrole), '')`.execute(trx);
  if (wrong.rows.length === 0) return;
  for (const one of [PRODUCT_ROLE, API_ROLE]) {
    const role = sql.id(one);
    await sql`grant usage on schema public, pgboss, own_rows to ${role};
        alter default privileges in schema public, pgboss grant select, insert, update, delete on tables to ${role};
        alter default privileges in schema public, pgboss grant usage on sequences to ${role}`.execute(trx);
  }
  for (const { role: one, what, wanted } of wrong.rows) {
    const role = sql.id(one);
    await sql`revoke all on ${sql.raw(what)} from ${role}`.execute(trx);
    if (wanted !== '') await sql`grant ${sql.raw(wanted)} on ${sql.raw(what)} to ${role}`.execute(trx);
  }
}

/** Who we are signed in as; null when that can change neither the schema nor another's rights, as it should be. */
export async function findOwnerRights(database: Database): Promise<string | null> {
  const { rows } = await sql<{ name: string }>`
    select current_user as name from pg_roles r where r.rolname = current_user and (r.rolsuper or r.rolcreaterole
      or exists (select from pg_class c where c.relnamespace = 'public'::regnamespace
        and pg_has_role(current_user, c.relowner, 'USAGE'))
      or has_schema_privilege(current_user, 'public', 'CREATE'))`.execute(database);
  return rows[0]?.name ?? null;
}
