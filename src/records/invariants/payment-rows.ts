// The dividends and swaps paid, and every trade in the instruments that paid them.
import { sql } from 'kysely';
import type { Adjustment } from '#engine/market/adjustment.ts';
import type { CalendarId } from '#engine/market/instrument.ts';
import type { DeploymentId, Symbol } from '#units/identifiers.ts';
import { type Instant, type IsoDate, parseInstant } from '#units/instant.ts';
import type { Database } from '../postgres/database.ts';

export type SharesTraded = {
  readonly deploymentId: DeploymentId;
  readonly symbol: Symbol;
  readonly calendar: CalendarId;
  readonly pays: 'dividend' | 'swap';
  /** The last session whose end has been processed for this deployment. */
  readonly passed: IsoDate;
  /** Signed, in shares of that day: bought, sold, or delivered at the end of a session. */
  readonly trades: readonly { readonly at: Instant; readonly shares: number }[];
  readonly adjusted: readonly AdjustedShares[];
  readonly deliveries: readonly { readonly date: IsoDate; readonly shares: number }[];
  /** By session, the units for which a dividend or swap was paid; several entries where a late execution was made up for. */
  readonly paid: readonly { readonly date: IsoDate; readonly shares: number }[];
};

/** What an adjustment changed. */
export type AdjustedShares = {
  /** When it was booked: its units are of that moment. */
  readonly at: Instant;
  readonly event: Adjustment;
  /** Of the execution that it reverses; null when it reverses none. */
  readonly undoneAt: Instant | null;
  /** Of the execution that it books; null for a difference. */
  readonly tradedAt: Instant | null;
};

export async function listSharesTraded(database: Database): Promise<SharesTraded[]> {
  const { rows } = await sql<SharesRow>`
    with traded as (
      select distinct f.deployment_id, f.symbol from fills f
      where exists (select from corporate_actions a where a.symbol = f.symbol and a.kind = 'dividend')
        or exists (select from instruments i where i.symbol = f.symbol and i.kind = 'forex')),
    of_options as (
      select h.deployment_id, h.event ->> 'underlying' as symbol, h.date,
        (h.event ->> 'shares')::numeric / 100000000 as shares
      from position_events h where h.kind in ('exercise', 'assignment'))
    select t.deployment_id as "deploymentId", t.symbol, i.calendar, n.date::text as passed,
      case i.kind when 'forex' then 'swap' else 'dividend' end as pays,
      (select json_agg(json_build_object('at', m.at, 'shares', m.shares)) from (
        select f.executed_at as at, case f.side when 'buy' then f.quantity else -f.quantity end as shares from fills f
        where f.deployment_id = t.deployment_id and f.symbol = t.symbol
        ) m) as trades,
      coalesce((select json_agg(json_build_object('at', h.at, 'event', h.event,
          'undoneAt', coalesce(
            (select f.executed_at from fills f
             where f.account_id = k.account_id and f.execution_id = k.undoes_execution),
            (select to_timestamp((x.report ->> 'at')::float8 / 1000) from broker_inbox x
             where x.account_id = k.account_id and x.execution_id = k.undoes_execution)),
          'tradedAt', (select to_timestamp((x.report ->> 'at')::float8 / 1000) from broker_inbox x
            where x.account_id = k.account_id and x.execution_id = k.execution_id)))
        from position_events h join adjustments k on k.id::text = h.execution
        where h.deployment_id = t.deployment_id and h.symbol = t.symbol and h.kind = 'adjustment'), '[]') as adjusted,
      coalesce((select json_agg(json_build_object('date', o.date, 'shares', o.shares)) from of_options o
        where o.deployment_id = t.deployment_id and o.symbol = t.symbol), '[]') as deliveries,
      coalesce((select json_agg(json_build_object('date', h.date, 'shares', h.entitled)) from position_events h
        where h.deployment_id = t.deployment_id and h.symbol = t.symbol and h.kind in ('dividend', 'swap')), '[]') as paid
    from traded t join instruments i on i.symbol = t.symbol join deployments d on d.id = t.deployment_id
    join processed_sessions n on n.calendar = i.calendar and n.shard = shard_of(d.broker_connection_id)
    order by 1, 2`.execute(database);
  return rows.map((row) => ({
    ...row,
    trades: row.trades.map(({ at, shares }) => ({ at: parseInstant(at), shares: Number(shares) })),
    adjusted: row.adjusted.map(({ at, event, undoneAt, tradedAt }) => ({
      at: parseInstant(at),
      event,
      undoneAt: undoneAt === null ? null : parseInstant(undoneAt),
      tradedAt: tradedAt === null ? null : parseInstant(tradedAt),
    })),
  }));
}

type SharesRow = Omit<SharesTraded, 'trades' | 'adjusted'> & {
  trades: { at: string; shares: number }[];
  adjusted: { at: string; event: Adjustment; undoneAt: string | null; tradedAt: string | null }[];
};
