// One event for one deployment: the engine decides, and what follows from it becomes a change to be written.
import type { EngineEvent } from '#engine/event.ts';
import type { ApprovedOrder, Fill } from '#engine/order/order.ts';
import { step, type StepResult } from '#engine/step.ts';
import type { EquityMark } from '#records/portfolio/equity-marks.ts';
import type { NewOrder } from '#records/execution/orders.ts';
import type { Holdings } from '#records/portfolio/positions.ts';
import type { Receipt } from '#records/deployments/receipts.ts';
import type { TradingDeployment } from '#records/deployments/trading-deployments.ts';
import { freeze } from '#engine/lifecycle/freeze.ts';
import type { OrderId, TargetId } from '#units/identifiers.ts';
import { DAY_MS, type Instant } from '#units/instant.ts';
import type { StateTransition } from './state-transition.ts';
import { engineNotice } from './notices.ts';
import type { DeploymentSnapshot } from './deployment-snapshot.ts';
import type { TradingContext } from '../trading-context.ts';
import { tradingDate } from './trading-date.ts';
import { valueHoldings } from './value-holdings.ts';

export function applyEvent(
  snapshot: DeploymentSnapshot,
  event: EngineEvent,
  context: TradingContext,
): StateTransition {
  const result = step(snapshot.state, event, context.terms);
  const after = afterStep(snapshot.record, result, event, context);
  const orders = result.orders.map((order) => newOrder(order, snapshot.record, context));
  return {
    before: snapshot.record,
    after,
    at: event.at,
    orders,
    receipts: receiptOf(event, result, snapshot.record),
    notifications: result.notices.map((notice) => engineNotice(after, notice, result.orders, context)),
    equityMarks: markOf(after, event, context),
  };
}

function afterStep(
  before: TradingDeployment,
  result: StepResult,
  event: EngineEvent,
  context: TradingContext,
): TradingDeployment {
  const { state } = result;
  const { marks } = state;
  const valued = valueHoldings(state.portfolio, before.holdings, event.at, {
    marks,
    instruments: context.instruments,
    unpriced: context.unpriced,
  });
  const after: TradingDeployment = {
    ...before,
    cash: state.portfolio.cash,
    realized: state.portfolio.realized,
    equity: valued.equity,
    peakEquity: state.peakEquity,
    frozenAt: state.frozenAt,
    stoppedOut: state.stoppedOut,
    appliedTargetId: (state.target?.id ?? null) as TargetId | null,
    markedAt: isPriced(valued.holdings, context) ? event.at : before.markedAt,
    holdings: valued.holdings,
  };
  const freezes = state.frozenAt !== null && before.frozenAt === null;
  const frozen = freezes ? freeze(before, before.limits.freezeOnDrawdownPercent) : null;
  if (frozen === null) return after;
  const { status, requestedStatus, reason } = frozen;
  return { ...after, status, requestedStatus, reason };
}

/** Whether all that is held has a price now. What is valued at an older one says since when. */
function isPriced(holdings: Holdings, { unpriced }: TradingContext): boolean {
  return !unpriced.some((symbol) => holdings.has(symbol));
}

function newOrder(order: ApprovedOrder, record: TradingDeployment, context: TradingContext): NewOrder {
  return {
    id: context.newId() as OrderId,
    connectionId: record.connectionId,
    targetId: order.purpose === 'rebalance' ? (order.cause as TargetId) : null,
    order,
    stopLossPercentage: order.purpose === 'stop_loss' ? record.limits.stopLossPercentage : null,
  };
}

/** Marks that decided nothing leave no receipt; everything else does, also when nothing was traded. */
function receiptOf(event: EngineEvent, result: StepResult, record: TradingDeployment): Receipt[] {
  const { orders, refusals } = result;
  if (event.type !== 'target' && orders.length === 0 && refusals.length === 0) return [];
  const targetId = event.type === 'target' ? (event.id as TargetId) : null;
  return [{ deploymentId: record.id, targetId, at: event.at, cause: causeOf(event), refusals }];
}

function causeOf(event: EngineEvent): string {
  switch (event.type) {
    case 'target':
    case 'mark':
      return event.type;
    case 'fill':
      return `fill:${event.fill.clientOrderId}`;
    case 'order_ended':
      return `order_ended:${event.clientOrderId}`;
    case 'resize_exit':
      return `resize_exit:${event.clientOrderId}`;
    case 'position_event':
      return `${event.event.type}:${event.event.symbol}`;
    case 'liquidate':
      return `liquidate:${event.id}`;
    default:
      return event satisfies never;
  }
}

/**
 * The running row of the trading day: the last one of the day stays. What moves no money and no price leaves none. A fill
 * is of its own day at the earliest: a venue's opening can be told while our clock still stands before it.
 */
function markOf(after: TradingDeployment, event: EngineEvent, context: TradingContext): EquityMark[] {
  if (event.type !== 'mark' && event.type !== 'fill' && event.type !== 'position_event') return [];
  const mark = equityMark(after, event.at, context, dayOf(event));
  return mark === null ? [] : [mark];
}

/** Of the trading day of `dayOf`; null while its strategy is unknown. */
export function equityMark(
  { id, versionId, cash, equity }: TradingDeployment,
  at: Instant,
  context: TradingContext,
  dayOf = at,
): EquityMark | null {
  const version = context.versions.get(versionId);
  if (version === undefined) return null;
  return {
    deploymentId: id,
    date: tradingDate(version.calendar, dayOf),
    at,
    cash,
    positions: (equity - cash) as typeof equity,
    equity,
    benchmark: context.marks.get(version.definition.benchmark) ?? null,
  };
}

/** Not before the fill itself, as far as a venue's clock can be believed. */
function dayOf({ at, fill }: { readonly at: Instant; readonly fill?: Fill }): Instant {
  return fill === undefined ? at : (Math.max(at, Math.min(fill.at, at + DAY_MS)) as Instant);
}
