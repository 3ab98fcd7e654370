import type { Deployment, Position } from '#contract/deployments.ts';
import type { Broker } from '#ports/broker.ts';
import type { DeploymentRow, FlowOfRow, PositionRow } from '#records/deployments/deployment-views.ts';
import { signedFlow, timeWeightedReturn } from '#engine/execution/flows/apply-flow.ts';
import { type DeploymentStatus, hasEnded } from '#engine/lifecycle/status.ts';
import { parseStatusReason } from '#records/deployments/status-reason-columns.ts';
import { winRatePercent } from '#rules/portfolio/portfolio-summary.ts';
import { flowReason } from '#rules/reasons/flow-reason.ts';
import { incidentNote, noStopsNote } from '#rules/reasons/incident-note.ts';
import { tripwireNote } from '#rules/deployments/tripwire-text.ts';
import { statusReason } from '#rules/reasons/status-reason.ts';
import { haltText } from '#rules/deployments/trading-halted-text.ts';
import { add, fromMicro, type Micro, parseMicro, subtract } from '#units/money.ts';
import { DAY_MS } from '#units/instant.ts';
import { showSession } from '../answers/show-session.ts';

/** What a broker takes stops for. */
export type StopTakers = readonly Pick<Broker, 'vendor' | 'limits'>[];

/** In whole micro-units: equity = cash + positions = investment + realised + unrealised. */
export function showDeployment(row: DeploymentRow, brokers: StopTakers): Deployment {
  const unstoppable = withoutStops(row, brokers);
  const cash = parseMicro(row.cash_micro);
  const equity = parseMicro(row.equity_micro);
  const unrealized = add(...row.positions.map(({ unrealized }) => unrealized as Micro));
  const asOf = row.marked_at ?? row.deployed_at;
  const status = row.status as DeploymentStatus;
  const until = row.ended_at ?? asOf;
  return {
    id: row.id,
    strategy: row.strategy_id,
    strategy_name: row.strategy_name,
    is_own_strategy: row.is_own_strategy,
    risk_level: row.risk_level,
    broker_connection: row.broker_connection_id,
    mode: row.mode,
    shadow_of: row.shadow_of,
    shadow: row.shadow,
    status,
    requested_status: row.requested_status as DeploymentStatus | null,
    status_reason: reasonOf(row, unstoppable),
    awaits_capacity: awaitsCapacity(row),
    investment_amount: dollars(row.investment_micro),
    return_percent: timeWeightedReturn({ equity, returnBase: parseMicro(row.return_base_micro) }),
    flows: row.flows.flatMap(doneFlow),
    pending_flow: pendingFlow(row.flows),
    cash_balance: fromMicro(cash),
    equity: fromMicro(equity),
    position_value: fromMicro(subtract(equity, cash)),
    unrealized_pnl: fromMicro(unrealized),
    total_pnl: dollars(row.realized_micro),
    total_trades: row.trades,
    closed_trades: row.closed,
    won_trades: row.won,
    lost_trades: row.lost,
    win_rate: winRatePercent([row]),
    open_positions: row.positions.length,
    positions: row.positions.map((position) => ({
      ...showPosition(position, row.strategy_name),
      unprotected: position.unprotected || unstoppable.includes(position),
    })),
    stop_loss_percentage: Number(row.stop_loss_percentage),
    max_allocation_per_trade: Number(row.max_allocation_percent),
    freeze_on_drawdown: Number(row.freeze_on_drawdown_percent),
    disconnect_choice: row.disconnect_choice,
    disconnect_minutes: row.disconnect_minutes,
    tripwire_choice: row.tripwire_choice,
    tripwire_state: row.tripwire_state,
    tripwire_since: row.tripwire_since?.toISOString() ?? null,
    broker_session: hasEnded(status) ? null : showSession(row.session, row.broker_name),
    liquidation_requested_at: row.liquidation_requested_at?.toISOString() ?? null,
    liquidation_decide_by: row.liquidation_decide_by?.toISOString() ?? null,
    frozen_at: row.frozen_at?.toISOString() ?? null,
    freeze_lifted_at: row.freeze_lifted_at?.toISOString() ?? null,
    peak_equity: dollars(row.peak_equity_micro),
    deployed_at: row.deployed_at.toISOString(),
    days_active: Math.max(0, Math.floor((until.getTime() - row.deployed_at.getTime()) / DAY_MS)),
    as_of: asOf.toISOString(),
  };
}

function awaitsCapacity({ reason_code, flows }: DeploymentRow): boolean {
  const waits = flows.some(({ status, reason }) => status === 'pending' && reason === 'awaits_capacity');
  return reason_code === 'awaits_capacity' || waits;
}

function doneFlow({ kind, moved, ended_at }: FlowOfRow): Deployment['flows'] {
  if (moved === null || ended_at === null) return [];
  return [{ at: new Date(ended_at).toISOString(), amount: fromMicro(signedFlow(kind, moved as Micro)) }];
}

function pendingFlow(flows: readonly FlowOfRow[]): Deployment['pending_flow'] {
  const found = flows.find(({ status }) => status === 'pending');
  if (found === undefined) return null;
  const { id, kind, requested, reason, requested_at } = found;
  return {
    id,
    kind,
    amount: fromMicro(requested as Micro),
    reason: reason === null ? null : flowReason(reason),
    requested_at: new Date(requested_at).toISOString(),
  };
}

/** Positions with a stop loss for which no stop can be at the broker: it takes none for their kind. */
function withoutStops(
  { vendor, stop_loss_percentage: stopLoss, positions }: DeploymentRow,
  brokers: StopTakers,
): readonly PositionRow[] {
  const broker = brokers.find((one) => one.vendor === vendor);
  if (broker === undefined || Number(stopLoss) === 0) return [];
  return positions.filter(({ kind }) => !broker.limits.stopKinds?.includes(kind));
}

/** A halt takes precedence over every other reason for not trading; an incident speaks where none is. */
function reasonOf(row: DeploymentRow, unstoppable: readonly PositionRow[]): string | null {
  if (row.halt !== null && !hasEnded(row.status as DeploymentStatus)) return haltText(row.halt);
  const reason = parseStatusReason(row);
  if (reason !== null) return statusReason(reason);
  if (hasEnded(row.status as DeploymentStatus)) return null;
  const tickers = unstoppable.map(({ ticker }) => ticker);
  return (
    incidentNote(row.incidents) ??
    tripwireNote(row.tripwire_state, row.tripwire_choice) ??
    noStopsNote(row.broker_name, tickers)
  );
}

function showPosition(row: PositionRow, strategyName: string): Omit<Position, 'unprotected'> {
  const units = Math.abs(row.quantity) * row.multiplier;
  // A margin position has no purchase cost, so its result is measured against its notional.
  const base = Math.abs(row.total_cost) || row.notional;
  return {
    ticker: row.ticker,
    formerly: [...row.formerly],
    position_type: row.quantity < 0 ? 'short' : 'long',
    quantity: row.quantity,
    entry_price: Math.abs(fromMicro(row.cost)) / units,
    current_price: row.mark_price,
    current_value: fromMicro(row.current_value),
    total_cost: fromMicro(row.total_cost),
    notional_value: Math.abs(fromMicro(row.notional)),
    unrealized_pnl: fromMicro(row.unrealized),
    unrealized_pnl_percentage: base === 0 ? 0 : (row.unrealized / Math.abs(base)) * 100,
    strategy_name: strategyName,
    protective_stop: row.stop && {
      price: Number(row.stop.price),
      since: new Date(row.stop.since).toISOString(),
    },
  };
}

function dollars(text: string): number {
  return fromMicro(parseMicro(text));
}
