// What our books say of one brokerage account: only instruments that a deployment has traded there.
import { sql } from 'kysely';
import type { Database } from '../database.ts';

export type AccountHolding = {
  readonly symbol: string;
  /** Of all deployments together, signed, in natural units. */
  readonly ours: string;
  /** Bought and sold there by others than us. */
  readonly external: string;
};

export async function listHoldingsOfAccount(database: Database, account: string): Promise<AccountHolding[]> {
  const { rows } = await sql<AccountHolding>`
    with traded as (select distinct symbol from fills where account_id = ${account})
    select t.symbol,
      (select coalesce(sum(p.quantity), 0) from positions p join deployments d on d.id = p.deployment_id
        join broker_connections c on c.id = d.broker_connection_id
        where c.account_id = ${account} and p.symbol = t.symbol)::text as ours,
      (select coalesce(sum(case x.side when 'buy' then x.quantity else -x.quantity end), 0) from external_fills x
        where x.account_id = ${account} and x.symbol = t.symbol)::text as external
    from traded t order by t.symbol`.execute(database);
  return rows;
}
