// What our books say one brokerage account holds.
import { sql } from 'kysely';
import type { AccountHolding, ExternallyTraded } from '#engine/execution/reconciliation/external-position.ts';
import type { Symbol } from '#units/identifiers.ts';
import { parseInstant } from '#units/instant.ts';
import { parseQuantity } from '#units/quantity.ts';
import { connectionsOf } from '../postgres/connections-of.ts';
import type { Database } from '../postgres/database.ts';

/** Only instruments that a deployment has traded there, or that were corrected for one. */
export async function listHoldingsOfAccount(database: Database, account: string): Promise<AccountHolding[]> {
  return readHoldings(
    database,
    account,
    sql`
      select symbol from fills where account_id = ${unseen(account)}
      union
      select symbol from adjustments where account_id = ${unseen(account)} and status = 'applied' and deployment_id is not null`,
  );
}

/** External holdings of instruments that no order of ours was ever sent for there: all in suspense, and those asked for. */
export async function listUntouchedHoldings(
  database: Database,
  account: string,
  asked: readonly Symbol[],
): Promise<AccountHolding[]> {
  return readHoldings(
    database,
    account,
    sql`
      select a.symbol from (
        select symbol from suspense_entries where account_id = ${unseen(account)}
        union
        select unnest(array(select unnest(${[...asked]}::text[])))) a
      where not exists (select from orders o where o.broker_connection_id = any(${connectionsOf(account)})
          and o.symbol = a.symbol and o.sent_at is not null)
        and not exists (select from fills f where f.account_id = ${unseen(account)} and f.symbol = a.symbol)
        and not exists (select from adjustments j where j.account_id = ${unseen(account)} and j.symbol = a.symbol)`,
  );
}

async function readHoldings(
  database: Database,
  account: string,
  symbols: ReturnType<typeof sql>,
): Promise<AccountHolding[]> {
  const { rows } = await sql<HoldingRow>`
    with asked as (${symbols}),
    held as materialized (
      select p.symbol, p.quantity from deployments d join positions p on p.deployment_id = d.id
      where d.broker_connection_id = any(${connectionsOf(account)}))
    select t.symbol, i.calendar, h.ours::text, w.awaited::text, h.long::text, h.short::text,
      coalesce((select json_agg(json_build_object('at', x.executed_at,
          'traded', (case x.side when 'buy' then x.quantity else -x.quantity end)::text, 'price', x.price::float8,
          'isShortfall', x.kind = 'shortfall',
          'isReleased', x.kind in ('released', 'reversed', 'coin_fee'))) from suspense_entries x
        where x.account_id = ${unseen(account)} and x.symbol = t.symbol), '[]'::json) as external,
      (select min(n.date)::text from processed_sessions n where n.calendar = i.calendar and n.shard in
        (select shard_of(c.id) from broker_connections c where c.account_id = ${unseen(account)})) as passed
    from asked t join instruments i on i.symbol = t.symbol
    cross join lateral (
      select coalesce(sum(p.quantity), 0) as ours, coalesce(sum(p.quantity) filter (where p.quantity > 0), 0) as long,
        coalesce(-sum(p.quantity) filter (where p.quantity < 0), 0) as short
      from held p where p.symbol = t.symbol) h
    cross join lateral (
      select coalesce(sum((k.event ->> 'units')::numeric), 0) / 100000000 as awaited
      from fills f join position_events k on k.kind = 'coin_fee' and k.event ->> 'fill' = f.account_id || ':' || f.execution_id
      where f.account_id = ${unseen(account)} and f.symbol = t.symbol and f.is_provisional) w
    order by t.symbol`.execute(database);
  return rows.map(({ ours, long, short, awaited, external, ...row }) => ({
    ...row,
    ours: parseQuantity(ours),
    long: parseQuantity(long),
    short: parseQuantity(short),
    awaited: parseQuantity(awaited),
    external: external.map((one) => ({
      ...one,
      at: parseInstant(one.at),
      traded: parseQuantity(one.traded),
    })),
  }));
}

type HoldingRow = Pick<AccountHolding, 'symbol' | 'calendar' | 'passed'> & {
  ours: string;
  long: string;
  short: string;
  awaited: string;
  external: (Omit<ExternallyTraded, 'at' | 'traded'> & { at: string; traded: string })[];
};

/** Whose value the planner does not see: it would plan each look again by what it knows of that account, and find the same plan. */
function unseen(account: string): ReturnType<typeof sql> {
  return sql`(select ${account}::text)`;
}
