// The dividends paid, and every trade in the instruments that paid them.
import { sql } from 'kysely';
import type { CalendarId } from '#engine/market/instrument.ts';
import type { DeploymentId, Symbol } from '#units/identifiers.ts';
import { type Instant, type IsoDate, parseInstant } from '#units/instant.ts';
import type { Database } from '../postgres/database.ts';

export type SharesTraded = {
  readonly deploymentId: DeploymentId;
  readonly symbol: Symbol;
  readonly calendar: CalendarId;
  /** The last session whose end has been processed for this deployment. */
  readonly passed: IsoDate;
  /** Signed, in shares of that day: bought, sold, or delivered at the end of a session. */
  readonly trades: readonly { readonly at: Instant; readonly shares: number }[];
  readonly deliveries: readonly { readonly date: IsoDate; readonly shares: number }[];
  /** By session, the shares for which a dividend was paid; several entries where a late execution was made up for. */
  readonly paid: readonly { readonly date: IsoDate; readonly shares: number }[];
};

export async function listSharesTraded(database: Database): Promise<SharesTraded[]> {
  const { rows } = await sql<SharesRow>`
    with traded as (
      select distinct f.deployment_id, f.symbol from fills f
      where exists (select from corporate_actions a where a.symbol = f.symbol and a.kind = 'dividend')),
    of_options as (
      select h.deployment_id, h.event ->> 'underlying' as symbol, h.date,
        (h.event ->> 'shares')::numeric / 100000000 as shares
      from position_events h where h.kind in ('exercise', 'assignment'))
    select t.deployment_id as "deploymentId", t.symbol, i.calendar, n.date::text as passed,
      (select json_agg(json_build_object('at', m.at, 'shares', m.shares)) from (
        select f.executed_at as at, case f.side when 'buy' then f.quantity else -f.quantity end as shares from fills f
        where f.deployment_id = t.deployment_id and f.symbol = t.symbol
        union all
        select h.at, h.entitled from position_events h
        where h.deployment_id = t.deployment_id and h.symbol = t.symbol and h.kind = 'adjustment') m) as trades,
      coalesce((select json_agg(json_build_object('date', o.date, 'shares', o.shares)) from of_options o
        where o.deployment_id = t.deployment_id and o.symbol = t.symbol), '[]') as deliveries,
      coalesce((select json_agg(json_build_object('date', h.date, 'shares', h.entitled)) from position_events h
        where h.deployment_id = t.deployment_id and h.symbol = t.symbol and h.kind = 'dividend'), '[]') as paid
    from traded t join instruments i on i.symbol = t.symbol join deployments d on d.id = t.deployment_id
    join processed_sessions n on n.calendar = i.calendar and n.shard = shard_of(d.broker_connection_id)
    order by 1, 2`.execute(database);
  return rows.map((row) => ({
    ...row,
    trades: row.trades.map(({ at, shares }) => ({ at: parseInstant(at), shares: Number(shares) })),
  }));
}

type SharesRow = Omit<SharesTraded, 'trades'> & {
  trades: { at: string; shares: number }[];
};
