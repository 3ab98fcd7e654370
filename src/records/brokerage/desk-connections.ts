// Broker connections as staff see them: the trader's last reading of each, and what trades through it.
import { type Kysely, sql } from 'kysely';
import type { BrokerSessionState } from '#engine/execution/connection/session-state.ts';
import type { BrokerAccountId, BrokerConnectionId } from '#units/identifiers.ts';
import type { Tables } from '../tables.ts';

export type DeskConnection = {
  readonly id: BrokerConnectionId;
  readonly accountId: BrokerAccountId | null;
  readonly brokerName: string;
  readonly client: string;
  readonly state: BrokerSessionState;
  readonly since: Date;
  /** What the broker or our adapter reported, as a quote. */
  readonly detail: string;
  /** Expected end of a reset or a block. */
  readonly until: Date | null;
  readonly reconciledAt: Date | null;
  readonly deployments: number;
  readonly equityMicro: string;
};

/** Those that do not simply work, the most money behind them first. Without deployments nothing waits for one. */
export async function listDisturbedConnections(
  database: Kysely<Tables>,
  max: number,
): Promise<readonly DeskConnection[]> {
  const { rows } = await sql<DeskConnection>`
    select c.id, c.account_id as "accountId", b.name as "brokerName", u.email as client, x.state, x.since, x.detail,
      x.until, x.reconciled_at as "reconciledAt", l.*
    from broker_sessions x
    join broker_connections c on c.id = x.connection_id
    join brokers b on b.id = c.broker_id
    join users u on u.id = c.user_id
    cross join lateral (select count(*)::int as deployments, coalesce(sum(equity_micro) filter (where mode = 'real'), 0)::text as "equityMicro"
      from live_deployments d where d.broker_connection_id = c.id) l
    where x.state <> 'connected' and l.deployments > 0
    order by l."equityMicro"::bigint desc, c.id limit ${max}`.execute(database);
  return rows;
}

/** Connections with live deployments, by the trader's last reading. */
export async function countConnections(
  database: Kysely<Tables>,
): Promise<ReadonlyMap<BrokerSessionState, number>> {
  const { rows } = await sql<{ state: BrokerSessionState; count: number }>`
    select x.state, count(*)::int from broker_sessions x
    where exists (select from live_deployments d where d.broker_connection_id = x.connection_id)
    group by x.state`.execute(database);
  return new Map(rows.map(({ state, count }) => [state, count]));
}
