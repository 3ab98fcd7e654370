// Deployments as screens show them. The hottest reads of the product: plain named statements; all figures of a deployment
// come from one statement, so from one snapshot.
import type { Pool } from 'pg';
import type { OrderReason } from '#engine/execution/orders/order-reason.ts';
import type { CorporateAction } from '#engine/market/corporate-action.ts';
import type { InstrumentKind } from '#engine/market/instrument.ts';
import type { OrderPurpose } from '#engine/order/order.ts';
import type { StatusReason } from '#engine/lifecycle/status-reason.ts';
import type { DisconnectChoice } from '#engine/lifecycle/disconnect-policy.ts';
import type { TripwireChoice, TripwireState } from '#engine/risk/tripwire.ts';
import type { NotedIncident } from '#engine/incidents/incident-kind.ts';
import type { DeploymentId, StrategyId, UserId } from '#units/identifiers.ts';
import type { Micro } from '#units/money.ts';
import { SESSION_JSON, type SessionRow } from '../brokerage/broker-sessions.ts';
import { IS_OF_PRICES, isOfPricesOf } from '../incidents/price-incidents.ts';
import { parseReason, type ReasonColumns } from '../execution/orders.ts';
import type { FlowKind, FlowReason } from '#engine/execution/flows/flow.ts';
import { formerTickersAt, tickerAt } from '../market/shown-tickers.ts';
import { idList } from '../postgres/id-list.ts';
import { isUuid } from '../postgres/is-uuid.ts';
import { type Halt, HALT_JSON, SWITCHES_VERSION } from '../operations/kill-switches.ts';

/** As PostgreSQL returns it: bigint and numeric as text, `positions` as JSON with plain numbers. */
export type DeploymentRow = {
  readonly id: DeploymentId;
  readonly user_id: UserId;
  /** Changes with every change in the view; see readDeploymentVersions. */
  readonly version: string;
  readonly strategy_id: StrategyId;
  readonly strategy_name: string;
  readonly is_own_strategy: boolean;
  readonly risk_level: 'low' | 'medium' | 'high';
  readonly broker_connection_id: string;
  /** The slug of the broker. */
  readonly vendor: string;
  readonly mode: 'practice' | 'paper' | 'real';
  /** Of a practice one: the deployment beside which it goes on. */
  readonly shadow_of: DeploymentId | null;
  /** The practice one that goes on beside it. */
  readonly shadow: DeploymentId | null;
  readonly status: string;
  readonly requested_status: string | null;
  readonly reason_code: StatusReason['code'] | null;
  readonly reason_params: unknown;
  /** Of its own open incidents and those of the prices of its strategy, the worst first. */
  readonly incidents: readonly NotedIncident[];
  /** Why trading is halted; null when it is not. */
  readonly halt: Halt | null;
  readonly investment_micro: string;
  readonly return_base_micro: string;
  /** Done and pending, oldest first. */
  readonly flows: readonly FlowOfRow[];
  readonly cash_micro: string;
  /** Cash plus the current value of all positions, stored by the trader on each change. */
  readonly equity_micro: string;
  readonly realized_micro: string;
  readonly stop_loss_percentage: string;
  readonly max_allocation_percent: string;
  readonly freeze_on_drawdown_percent: string;
  readonly disconnect_choice: DisconnectChoice;
  readonly disconnect_minutes: number;
  readonly tripwire_choice: TripwireChoice;
  readonly tripwire_state: TripwireState;
  readonly tripwire_since: Date | null;
  readonly broker_name: string;
  readonly session: SessionRow | null;
  readonly frozen_at: Date | null;
  readonly freeze_lifted_at: Date | null;
  readonly peak_equity_micro: string;
  /** Of the open request. */
  readonly liquidation_requested_at: Date | null;
  readonly liquidation_decide_by: Date | null;
  readonly deployed_at: Date;
  readonly marked_at: Date | null;
  readonly ended_at: Date | null;
  readonly trades: number;
  /** Round trips, and those of them that made and lost money. */
  readonly closed: number;
  readonly won: number;
  readonly lost: number;
  readonly positions: readonly PositionRow[];
};

export type FlowOfRow = {
  readonly id: string;
  readonly kind: FlowKind;
  readonly status: 'pending' | 'done';
  readonly requested: number;
  readonly moved: number | null;
  readonly reason: FlowReason | null;
  readonly requested_at: string;
  readonly ended_at: string | null;
};

/** Money in micro-units of US dollars; `cost` in the quote currency. */
export type PositionRow = {
  /** Of the day in New York of its mark, or of a later one of the deployment. */
  readonly ticker: string;
  /** Tickers that it had before, newest first. */
  readonly formerly: readonly string[];
  readonly kind: InstrumentKind;
  readonly quantity: number;
  readonly multiplier: number;
  readonly cost: Micro;
  readonly mark_price: number;
  readonly current_value: Micro;
  readonly total_cost: Micro;
  readonly unrealized: Micro;
  readonly notional: Micro;
  /** The protective stop working at the broker, and the market time since when it works; null when there is none. */
  readonly stop: { readonly price: number; readonly since: string } | null;
  /** Its stop could not be placed at the broker. */
  readonly unprotected: boolean;
};

/** The planner does not see how many: it would plan each time, which takes longer than finding them. */
const ASKED = 'array(select unnest($1::uuid[]))';

/** Open ones of the asked deployments and of prices, read once: each deployment looks for its own among them. */
const OPEN_INCIDENTS = `open_incidents as materialized (
    select id, deployment_id, kind, subject, symbol, severity, since from incidents i
    where ended_at is null and (deployment_id = any(${ASKED}) or ${IS_OF_PRICES}))`;
/** An open incident of the deployment, or of a price that its strategy reads. */
const CONCERNS_IT = `(i.deployment_id = d.id or ${isOfPricesOf('d.strategy_version_id')})`;

/**
 * Each change of a deployment, its positions or its fills raises its revision; a changed strategy, connection or session
 * has a new xmin, and so have its working protective stops; an open incident has its id. A kill switch changes the version of every deployment.
 */
const VERSION = `d.revision || '.' || ${SWITCHES_VERSION} || '.' || s.xmin || '.' || c.xmin || '.' || coalesce(b.xmin::text, '') || coalesce((
  select '.' || string_agg(r.xmin::text, '.' order by r.symbol) from orders r
  where r.deployment_id = d.id and r.purpose = 'protective' and r.status = 'working'), '') || coalesce(case when exists (select from open_incidents) then (
  select '.' || string_agg(left(i.id::text, 8), '.' order by i.id) from open_incidents i
  where ${CONCERNS_IT}) end, '')`;
const CONNECTION = `join broker_connections c on c.id = d.broker_connection_id
  left join broker_sessions b on b.connection_id = c.id`;

/** From the deployments on: whose rows a connection sees makes the planner expect few rows of each table, and begin with all connections. */
const VERSIONS_SQL = `
  with ${OPEN_INCIDENTS}, d as materialized (
    select id, user_id, revision, strategy_id, strategy_version_id, broker_connection_id from deployments
    where id = any(${ASKED})
  )
  select d.id, d.user_id, ${VERSION} as version from d join strategies s on s.id = d.strategy_id
  ${CONNECTION}`;

type DeploymentVersion = Pick<DeploymentRow, 'id' | 'user_id' | 'version'>;

/** The current version and owner of each; unknown ids are left out. */
export async function readDeploymentVersions(
  pool: Pool,
  ids: readonly string[],
): Promise<ReadonlyMap<string, DeploymentVersion>> {
  const { rows } = await pool.query<DeploymentVersion>(VERSIONS_SQL, [idList(ids.filter(isUuid))]);
  return new Map(rows.map((row) => [row.id, row]));
}

/** Staff wait no longer for its stop; its owner sees that it has none. */
const IS_ACKNOWLEDGED = `k.action = 'acknowledge' and k.status = 'approved'`;

const DEPLOYMENTS_SQL = `
  with ${OPEN_INCIDENTS}
  select d.id, d.user_id, ${VERSION} as version, d.strategy_id, s.name as strategy_name, s.owner_id is not null as is_own_strategy, s.risk_level, d.broker_connection_id,
    case when d.mode = 'practice' then 'practice' when c.is_paper then 'paper' else 'real' end as mode, d.shadow_of,
    (select w.id from deployments w where w.shadow_of = d.id) as shadow,
    d.status, d.requested_status, d.reason_code, d.reason_params, array(
      select jsonb_build_object('kind', i.kind, 'symbol', i.symbol) from open_incidents i
      where ${CONCERNS_IT} order by i.severity, i.since, i.id)
      || array(select jsonb_build_object('kind', 'position_unprotected', 'symbol', null) from proposals k where ${IS_ACKNOWLEDGED}
        and starts_with(k.subject, d.id || ' ')) as incidents,
    ${HALT_JSON} as halt, d.investment_micro, d.return_base_micro, coalesce((
      select json_agg(json_build_object('id', f.id, 'kind', f.kind, 'status', f.status, 'requested', f.requested_micro,
        'moved', f.moved_micro, 'reason', f.reason_code, 'requested_at', f.requested_at, 'ended_at', f.ended_at)
        order by f.requested_at, f.created_at)
      from deployment_flows f where f.deployment_id = d.id and f.status in ('done', 'pending') and f.repeats is null
    ), '[]'::json) as flows, d.cash_micro, d.equity_micro, d.realized_micro,
    d.stop_loss_percentage, d.max_allocation_percent, d.freeze_on_drawdown_percent, d.disconnect_choice, d.disconnect_minutes,
    d.tripwire_choice, d.tripwire_state, d.tripwire_since, (select name from brokers where id = c.broker_id) as broker_name, (select slug from brokers where id = c.broker_id) as vendor, ${SESSION_JSON} as session,
    d.frozen_at, d.freeze_lifted_at, d.peak_equity_micro, (
      select requested_at from liquidation_requests where deployment_id = d.id and status = 'open'
    ) as liquidation_requested_at, (
      select decide_by from liquidation_requests where deployment_id = d.id and status = 'open'
    ) as liquidation_decide_by, d.deployed_at, d.marked_at, d.ended_at, o.trades, t.closed, t.won, t.lost,
    coalesce((
      select json_agg(json_build_object('ticker', ${tickerAt('p.symbol', 'greatest(d.marked_at, p.marked_at)')},
        'formerly', ${formerTickersAt('p.symbol', 'greatest(d.marked_at, p.marked_at)')}, 'kind', i.kind, 'quantity', p.quantity, 'multiplier', i.multiplier,
        'cost', p.cost_micro, 'mark_price', p.mark_price, 'current_value', p.current_value_micro,
        'total_cost', p.total_cost_micro, 'unrealized', p.unrealized_micro, 'notional', p.notional_micro,
        'stop', (select json_build_object('price', o.limit_price, 'since', o.sent_at) from orders o
          where o.deployment_id = d.id and o.symbol = p.symbol and o.purpose = 'protective' and o.status = 'working'
            and o.reason_code is null),
        'unprotected', exists (select from open_incidents n where n.deployment_id = d.id and n.symbol = p.symbol
          and n.kind = 'position_unprotected')
          or exists (select from proposals k where ${IS_ACKNOWLEDGED} and k.subject = d.id || ' ' || p.symbol))
        order by p.symbol)
      from positions p join instruments i on i.symbol = p.symbol where p.deployment_id = d.id
    ), '[]'::json) as positions
  from deployments d
  join strategies s on s.id = d.strategy_id
  ${CONNECTION}
  cross join lateral (
    select count(*)::int as trades from orders where deployment_id = d.id and filled_quantity > 0
  ) o
  cross join lateral (
    select count(*)::int as closed, count(*) filter (where pnl_micro > 0)::int as won,
      count(*) filter (where pnl_micro < 0)::int as lost
    from round_trips where deployment_id = d.id and closed_at is not null
  ) t
  where d.id = any(${ASKED})`;

/** In no order; unknown ids are left out. The caller checks the owner of each. */
export async function readDeployments(
  pool: Pool,
  ids: readonly string[],
): Promise<ReadonlyMap<string, DeploymentRow>> {
  const { rows } = await pool.query<DeploymentRow>(DEPLOYMENTS_SQL, [idList(ids.filter(isUuid))]);
  return new Map(rows.map((row) => [row.id, row]));
}

export type TradeRow = {
  readonly id: string;
  readonly decided_at: Date;
  readonly executed_at: Date | null;
  readonly side: 'buy' | 'sell';
  readonly symbol: string;
  readonly filled_quantity: string;
  readonly quantity: string;
  readonly average_price: string | null;
  readonly filled_value_micro: string;
  readonly commission_micro: string;
  readonly commission_is_estimate: boolean;
  readonly realized_micro: string;
  readonly status: string;
  readonly reason: OrderReason | null;
  readonly purpose: OrderPurpose | null;
  readonly limit_price: string | null;
  readonly stop_loss_percentage: string | null;
  /** What an adjustment changed; null for an order. */
  readonly adjustment: string | null;
  /** A manual adjustment of the books: no order. */
  readonly is_adjustment: boolean;
  /** The receipt of the decision that it follows; null for an exit and for what has none. */
  readonly decision: string | null;
};

/** Of `orders o`, joined with ORDER_FILLS. */
export const ORDER_COLUMNS = `o.id, o.decided_at, f.executed_at, o.side, ${tickerAt('o.symbol', 'o.decided_at')} as symbol, o.filled_quantity, o.quantity,
    f.average_price, o.filled_value_micro, coalesce(f.commission_micro, 0) as commission_micro,
    coalesce(f.commission_is_estimate, false) as commission_is_estimate, o.realized_micro,
    o.status, o.reason_code, o.reason_params, o.purpose, o.limit_price,
    o.stop_loss_percentage, null as adjustment, false as is_adjustment, (
      select r.id::text from receipts r where r.deployment_id = o.deployment_id and r.target_id = o.target_id
        and r.at <= o.decided_at and r.decision is not null order by r.at desc, r.id desc limit 1
    ) as decision, o.created_at`;

export const ORDER_FILLS = `left join lateral (
    select max(executed_at) as executed_at, sum(price * quantity) / sum(quantity) as average_price,
      sum(commission_micro) as commission_micro, bool_or(is_provisional) as commission_is_estimate
    from fills where order_id = o.id having count(*) > 0
  ) f on true`;

const TRADES_SQL = `
  (select ${ORDER_COLUMNS}
  from deployments d
  join orders o on o.deployment_id = d.id
  ${ORDER_FILLS}
  where d.id = $1 and d.user_id = $2
    -- What only rested is shown beside its position; once it trades, it is a trade.
    and (o.purpose <> 'protective' or o.filled_quantity > 0)
  order by o.decided_at desc, o.created_at desc, o.id
  limit $3)
  union all
  (select k.id, k.applied_at, k.applied_at, case when coalesce(nullif(k.net_units, 0), -k.cash_micro) < 0 then 'sell'
      else 'buy' end, ${tickerAt('k.symbol', 'k.applied_at')}, abs(k.net_units), abs(k.net_units), k.price, k.cash_micro, k.net_commission_micro,
    false, k.realized_micro, 'filled', null, null, null, null, null, k.explanation, true, null, k.ended_at
  from adjustments k join deployments d on d.id = k.deployment_id
  where k.deployment_id = $1 and d.user_id = $2 and k.status = 'applied'
  order by k.applied_at desc limit $3)
  order by decided_at desc, created_at desc, id
  limit $3`;

type TradesWanted = { readonly id: string; readonly userId: UserId; readonly limit: number | null };

/** The newest orders of a person's own deployment with their fills, and adjustments of its books; newest first. `limit` null reads all. */
export async function readTrades(
  pool: Pool,
  { id, userId, limit }: TradesWanted,
): Promise<readonly TradeRow[]> {
  const { rows } = await pool.query<Omit<TradeRow, 'reason'> & ReasonColumns>(TRADES_SQL, [
    id,
    userId,
    limit,
  ]);
  return rows.map((row) => ({ ...row, reason: parseReason(row) }));
}

export async function isOwnDeployment(
  pool: Pool,
  { id, userId }: { readonly id: string; readonly userId: UserId },
): Promise<boolean> {
  if (!isUuid(id)) return false;
  const { rowCount } = await pool.query('select 1 from deployments where id = $1 and user_id = $2', [
    id,
    userId,
  ]);
  return rowCount === 1;
}

export type EquityRow = {
  readonly id: DeploymentId;
  readonly investment_micro: string;
  /** Added less withdrawn since the start. */
  readonly added: string;
  readonly deployed_at: Date;
  readonly as_of: Date;
  /** As stored by the trader at the last mark or fill: cash plus positions. */
  readonly equity: string;
  /** Of the traded version. */
  readonly benchmark_name: string | null;
  /** Splits and dividends of the benchmark, by ex-date. */
  readonly benchmark_actions: readonly CorporateAction[];
  readonly marks: readonly {
    readonly date: string;
    readonly equity: number;
    /** Added less withdrawn since the start, by then. */
    readonly added: number;
    /** Its raw close; the price at the mark where the day has no bar. */
    readonly benchmark: number | null;
  }[];
};

const ADDED = `coalesce(sum(case f.kind when 'deposit' then f.moved_micro else -f.moved_micro end), 0)
      from deployment_flows f where f.deployment_id = d.id and f.status = 'done'`;

const EQUITY_SQL = `
  select d.id, d.investment_micro, (select ${ADDED}) as added, d.deployed_at, coalesce(d.marked_at, d.deployed_at) as as_of,
    d.equity_micro as equity,
    coalesce((
      select json_agg(json_build_object('date', m.date, 'equity', m.equity_micro, 'added', (select ${ADDED} and f.ended_at <= m.at),
        'benchmark', coalesce(b.close, m.benchmark)) order by m.date)
      from equity_marks m
      left join bars b on b.symbol = i.symbol and b.interval = '1d' and b.source = i.source
        and b.closed_at > m.date and b.closed_at < m.date + 2 and b.date = m.date
      where m.deployment_id = d.id
        and ($3::int is null or m.date >= (coalesce(d.marked_at, d.deployed_at) at time zone 'UTC')::date - $3::int)
    ), '[]'::json) as marks, i.name as benchmark_name, coalesce((
      select json_agg(json_build_object('kind', a.kind, 'exDate', a.ex_date, 'amount', a.amount)
        order by a.ex_date, a.kind)
      from corporate_actions a where a.symbol = i.symbol
    ), '[]'::json) as benchmark_actions
  from deployments d
  left join strategy_versions v on v.id = d.strategy_version_id
  left join instruments i on i.symbol = v.definition->>'benchmark'
  where d.user_id = $1 and (d.id = $2 or ($2::uuid is null and d.mode = 'real'))
  order by d.deployed_at, d.id`;

type EquityWanted = {
  readonly userId: UserId;
  /** Null for all of the person's deployments of real money. */
  readonly id: string | null;
  /** Start of the marks; null for all of them. */
  readonly days: number | null;
};

/** Daily equity of a person's own deployments, and the current equity, from one snapshot. */
export async function readEquity(
  pool: Pool,
  { userId, id, days }: EquityWanted,
): Promise<readonly EquityRow[]> {
  if (id !== null && !isUuid(id)) return [];
  const { rows } = await pool.query<EquityRow>(EQUITY_SQL, [userId, id, days]);
  return rows;
}
