// Deployments as the trader sees them: everything a decision needs, loaded and saved in bulk.
// A caller that will change a deployment locks the rows first; see `loadTradingDeployments`.
import { type Kysely, sql, type Transaction } from 'kysely';
import type { StatusReason } from '#engine/lifecycle/status-reason.ts';
import type { TradingDeployment } from '#engine/execution/deployment/trading-deployment.ts';
import type { DeploymentStatus, RequestedStatus } from '#engine/lifecycle/status.ts';
import { type TripwireChoice, tripwireReaction, type TripwireState } from '#engine/risk/tripwire.ts';
import type {
  BrokerConnectionId,
  DeploymentId,
  StrategyVersionId,
  Symbol,
  TargetId,
  UserId,
} from '#units/identifiers.ts';
import { type Instant, isoText, parseInstant } from '#units/instant.ts';
import { parseMicro } from '#units/money.ts';
import { listHoldings } from '../portfolio/positions.ts';
import { idArray } from '../postgres/id-list.ts';
import type { Tables } from '../tables.ts';
import { NAME_IN_NOTICES } from './name-in-notices.ts';
import { parseStatusReason, statusReasonParams } from './status-reason-columns.ts';

/** 'free for update' leaves out those that somebody else has locked. */
export type DeploymentLock = 'for update' | 'free for update' | 'unlocked';

const LOCKS = {
  'for update': sql`for update of d`,
  'free for update': sql`for update of d skip locked`,
  unlocked: sql``,
} as const satisfies Record<DeploymentLock, unknown>;

/** In order of their ids, so that two writers never deadlock. */
export async function loadTradingDeployments(
  database: Kysely<Tables>,
  ids: readonly DeploymentId[],
  lock: DeploymentLock,
): Promise<TradingDeployment[]> {
  if (ids.length === 0) return [];
  const locked = LOCKS[lock];
  const { rows } = await sql<DeploymentRow>`
    select d.id, d.user_id, d.strategy_version_id, d.broker_connection_id, ${sql.raw(NAME_IN_NOTICES)} as strategy_name,
      d.status, d.reason_code, d.reason_params, d.requested_status, d.investment_micro, d.withdrawing_micro, d.return_base_micro, d.stop_loss_percentage, d.max_allocation_percent,
      d.freeze_on_drawdown_percent, d.tripwire_choice, d.tripwire_state, d.cash_micro, d.realized_micro, d.equity_micro, d.peak_equity_micro, d.frozen_at, d.freeze_lifted_at,
      b.slug as vendor, nullif(d.stopped_out, '{}') as stopped_out, d.applied_target_id, d.revision, d.deployed_at, d.marked_at, d.ended_at
    from deployments d join strategies s on s.id = d.strategy_id
      join broker_connections c on c.id = d.broker_connection_id join brokers b on b.id = c.broker_id
    where d.id = any(${idArray(ids)})
    order by d.id ${locked}`.execute(database);
  const holdings = await listHoldings(database, ids);
  return rows.map((row) => ({
    id: row.id as DeploymentId,
    userId: row.user_id as UserId,
    versionId: row.strategy_version_id as StrategyVersionId,
    connectionId: row.broker_connection_id as BrokerConnectionId,
    vendor: row.vendor,
    strategyName: row.strategy_name,
    status: row.status as DeploymentStatus,
    reason: parseStatusReason(row),
    requestedStatus: row.requested_status,
    investment: parseMicro(row.investment_micro),
    withdrawing: parseMicro(row.withdrawing_micro),
    returnBase: parseMicro(row.return_base_micro),
    limits: {
      stopLossPercentage: Number(row.stop_loss_percentage),
      maxAllocationPercent: Number(row.max_allocation_percent),
      freezeOnDrawdownPercent: Number(row.freeze_on_drawdown_percent),
    },
    reaction: tripwireReaction(row.tripwire_state, row.tripwire_choice),
    cash: parseMicro(row.cash_micro),
    realized: parseMicro(row.realized_micro),
    equity: parseMicro(row.equity_micro),
    peakEquity: parseMicro(row.peak_equity_micro),
    frozenAt: instantOrNull(row.frozen_at),
    freezeLiftedAt: instantOrNull(row.freeze_lifted_at),
    stoppedOut: new Map(Object.entries(row.stopped_out ?? {}) as [Symbol, 'long' | 'short'][]),
    appliedTargetId: row.applied_target_id,
    revision: Number(row.revision),
    deployedAt: parseInstant(row.deployed_at),
    markedAt: instantOrNull(row.marked_at),
    endedAt: instantOrNull(row.ended_at),
    holdings: holdings.get(row.id as DeploymentId) ?? new Map(),
  }));
}

/** Saves deployments that only follow a new target. The caller holds the rows' locks. */
export async function followTarget(
  trx: Transaction<Tables>,
  ids: readonly DeploymentId[],
  { target, at }: { readonly target: TargetId; readonly at: Instant },
): Promise<void> {
  if (ids.length === 0) return;
  await sql`
    update deployments set applied_target_id = ${target}, marked_at = ${isoText(at)}, revision = revision + 1
    where id = any(${idArray(ids)})`.execute(trx);
}

/** Writes every column that trading changes. The caller holds the rows' locks. */
export async function saveTradingDeployments(
  trx: Transaction<Tables>,
  deployments: readonly TradingDeployment[],
): Promise<void> {
  if (deployments.length === 0) return;
  const column = <Value>(pick: (deployment: TradingDeployment) => Value) => deployments.map(pick);
  const time = (at: Instant | null) => (at === null ? null : isoText(at));
  await sql`
    update deployments as d set
      status = c.status, reason_code = c.reason_code, reason_params = c.reason_params, requested_status = c.requested_status,
      cash_micro = c.cash, realized_micro = c.realized, equity_micro = c.equity, peak_equity_micro = c.peak,
      frozen_at = c.frozen_at, freeze_lifted_at = c.freeze_lifted_at, stopped_out = c.stopped_out, applied_target_id = c.applied_target_id,
      marked_at = c.marked_at, ended_at = c.ended_at, revision = d.revision + 1
    from unnest(
      ${column((d) => d.id)}::uuid[],
      ${column((d) => d.status)}::text[],
      ${column((d) => d.reason?.code ?? null)}::text[],
      ${column((d) => statusReasonParams(d.reason))}::jsonb[],
      ${column((d) => d.requestedStatus)}::text[],
      ${column((d) => d.cash)}::bigint[],
      ${column((d) => d.realized)}::bigint[],
      ${column((d) => d.equity)}::bigint[],
      ${column((d) => d.peakEquity)}::bigint[],
      ${column((d) => time(d.frozenAt))}::timestamptz[],
      ${column((d) => time(d.freezeLiftedAt))}::timestamptz[],
      ${column((d) => JSON.stringify(Object.fromEntries(d.stoppedOut)))}::jsonb[],
      ${column((d) => d.appliedTargetId)}::uuid[],
      ${column((d) => time(d.markedAt))}::timestamptz[],
      ${column((d) => time(d.endedAt))}::timestamptz[]
    ) as c (id, status, reason_code, reason_params, requested_status, cash, realized, equity, peak, frozen_at, freeze_lifted_at, stopped_out,
      applied_target_id, marked_at, ended_at)
    where d.id = c.id`.execute(trx);
}

type DeploymentRow = {
  readonly id: string;
  readonly deployed_at: Date;
  readonly user_id: UserId;
  readonly strategy_version_id: StrategyVersionId;
  readonly broker_connection_id: BrokerConnectionId;
  readonly vendor: string;
  readonly strategy_name: string;
  readonly status: string;
  readonly reason_code: StatusReason['code'] | null;
  readonly reason_params: unknown;
  readonly requested_status: RequestedStatus | null;
  readonly investment_micro: string;
  readonly withdrawing_micro: string;
  readonly return_base_micro: string;
  readonly stop_loss_percentage: string;
  readonly max_allocation_percent: string;
  readonly freeze_on_drawdown_percent: string;
  readonly tripwire_choice: TripwireChoice;
  readonly tripwire_state: TripwireState;
  readonly cash_micro: string;
  readonly realized_micro: string;
  readonly equity_micro: string;
  readonly peak_equity_micro: string;
  readonly frozen_at: Date | null;
  readonly freeze_lifted_at: Date | null;
  /** Null when nothing is stopped out. */
  readonly stopped_out: { readonly [symbol: string]: 'long' | 'short' } | null;
  readonly applied_target_id: TargetId | null;
  readonly revision: string;
  readonly marked_at: Date | null;
  readonly ended_at: Date | null;
};

function instantOrNull(value: Date | null): Instant | null {
  return value === null ? null : parseInstant(value);
}
