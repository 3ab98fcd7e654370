// Views that give SQL the facts that `rules` defines, from the same constants as in TypeScript. They belong to no
// migration: every start compares them with the database, and rebuilds them when a rule or a table has changed.
// A migration that changes a column read by a view drops the view first.
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { type CommandedStatus, followsStrategy } from '#engine/lifecycle/effective-status.ts';
import {
  DEPLOYMENT_STATUSES,
  type DeploymentStatus,
  hasEnded,
  REQUESTED_STATUSES,
} from '#engine/lifecycle/status.ts';
import { AT_BROKER, OPEN } from '#engine/order/order-status.ts';
import type { Transaction } from '../postgres/database.ts';

type View = { readonly name: string; readonly query: string };

/** What the trader writes by COPY: in the role of the API these names lead to views of what a request may see. See rows.sql. */
export const COPIED = ['orders', 'receipts'] as const;

/** Each may read earlier ones. */
export const VIEWS: readonly View[] = [
  {
    name: 'live_deployments',
    query: `select * from deployments where status not in ${statusList(hasEnded)}`,
  },
  { name: 'following_deployments', query: `select * from deployments where ${where(followsStrategy)}` },
  { name: 'open_orders', query: `select * from orders where status in ${list(OPEN)}` },
  { name: 'orders_at_broker', query: `select * from orders where status in ${list(AT_BROKER)}` },
];

/** Creates the views that are missing or differ from the rules or the tables; returns whether it did. */
export async function refreshViews(trx: Transaction): Promise<boolean> {
  await sql`select pg_advisory_xact_lock(hashtextextended('views', 0))`.execute(trx);
  const seal = await sealOf(trx);
  if ((await listSeals(trx)).every((found) => found === seal)) return false;
  for (const { name } of VIEWS.toReversed()) await sql.raw(`drop view if exists ${name}`).execute(trx);
  for (const { name, query } of VIEWS) {
    await sql
      .raw(
        `create view ${name} with (security_invoker = true) as ${query}; comment on view ${name} is '${seal}'`,
      )
      .execute(trx);
  }
  for (const table of COPIED) {
    const view = `own_rows.${table}`;
    await sql
      .raw(
        `drop view if exists ${view}; create view ${view} as ${ownRows(table)}; comment on view ${view} is '${seal}'`,
      )
      .execute(trx);
  }
  return true;
}

/** With the rights of their owner. No barrier: a joined query must reach the indexes of the table. */
function ownRows(table: string): string {
  return `select r.xmin, r.* from public.${table} r where (select rows_of()) = 'everybody'
    or r.deployment_id in (select id from deployments where user_id = (select person_of_rows()))`;
}

/** Over the queries and every column: `select *` means the columns at creation time. */
async function sealOf(trx: Transaction): Promise<string> {
  const { rows } = await sql<{ columns: string }>`
    select string_agg(a.attrelid::regclass || '.' || a.attname, ' ' order by a.attrelid::regclass::text, a.attnum) as columns
    from pg_attribute a join pg_class c on c.oid = a.attrelid
    where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and a.attnum > 0 and not a.attisdropped`.execute(
    trx,
  );
  return createHash('sha256')
    .update(JSON.stringify([VIEWS, COPIED.map(ownRows), rows[0]?.columns]))
    .digest('hex');
}

/** The seal that each view carries as its comment; null where the view is missing. */
async function listSeals(trx: Transaction): Promise<(string | null)[]> {
  const names = [...VIEWS.map(({ name }) => name), ...COPIED.map((table) => `own_rows.${table}`)];
  const { rows } = await sql<{ seal: string | null }>`
    select obj_description(to_regclass(n.name), 'pg_class') as seal from unnest(${names}::text[]) as n(name)`.execute(
    trx,
  );
  return rows.map(({ seal }) => seal);
}

/** A property of a deployment by its state and request, as a condition of the table. */
function where(holds: (deployment: CommandedStatus) => boolean): string {
  const allowed = new Map<string, string[]>();
  for (const status of DEPLOYMENT_STATUSES) {
    const requested = [null, ...REQUESTED_STATUSES].filter((one) => holds({ status, requestedStatus: one }));
    const words = requested.map((one) => one ?? '');
    if (words.length > 0) allowed.set(list(words), [...(allowed.get(list(words)) ?? []), status]);
  }
  const parts = [...allowed].map(
    ([words, statuses]) => `status in ${list(statuses)} and coalesce(requested_status, '') in ${words}`,
  );
  return parts.join(' or ');
}

/** For SQL: the states with a property. */
export function statusList(holds: (status: DeploymentStatus) => boolean): string {
  return list(DEPLOYMENT_STATUSES.filter(holds));
}

function list(words: readonly string[]): string {
  return `(${words.map((word) => `'${word}'`).join(', ')})`;
}
