// Applies one event to one deployment: the engine decides, and the result becomes a transition to be written.
import type { TargetId } from '#units/identifiers.ts';
import { DAY_MS, type Instant } from '#units/instant.ts';
import type { StepResult } from '../../deployment-state.ts';
import { decisionRecord } from '../../decision/decision-record.ts';
import type { EngineEvent } from '../../event.ts';
import { freeze } from '../../lifecycle/freeze.ts';
import type { ApprovedOrder, Fill } from '../../order/order.ts';
import type { DecisionTrace } from '../../decision/sizing.ts';
import { step } from '../../step.ts';
import type { DeploymentSnapshot } from './deployment-snapshot.ts';
import { equityMark } from './equity-mark.ts';
import { engineNotice } from './notices.ts';
import type { NewOrder } from '../orders/order-record.ts';
import { type EquityMark, noTransition, type Receipt, type StateTransition } from './state-transition.ts';
import type { TradingDeployment } from './trading-deployment.ts';
import type { TradingMarket } from './trading-market.ts';
import { valueHoldings } from './value-holdings.ts';

export function applyEvent(
  { record, state }: Pick<DeploymentSnapshot, 'record' | 'state'>,
  event: EngineEvent,
  market: TradingMarket,
): StateTransition {
  const trace: DecisionTrace | undefined = event.type === 'target' ? { sizings: [] } : undefined;
  const result = step(state, event, market.terms, trace);
  const decision = trace === undefined ? null : decisionRecord(state, trace.sizings);
  const after = afterStep(record, result, event, market);
  return {
    ...noTransition(record, event.at),
    after,
    orders: result.orders.map((order) => newOrder(order, record, pricedAt(order, record, market))),
    receipts: receiptOf(event, result, { id: record.id, decision }),
    notices: result.notices.map((notice) => engineNotice(after, notice, result.orders, market.now)),
    equityMarks: markOf(after, event, market),
  };
}

/** An order for a deployment, not yet written. */
export function newOrder(
  order: ApprovedOrder,
  { connectionId, limits }: TradingDeployment,
  /** Null for a stop: its price follows from the entry. */
  at: Instant | null,
): NewOrder {
  const { purpose, cause } = order;
  const isAtStopLoss = purpose === 'stop_loss' || purpose === 'protective';
  return {
    connectionId,
    targetId: purpose === 'rebalance' ? (cause as TargetId) : null,
    order,
    pricedAt: at,
    stopLossPercentage: isAtStopLoss ? limits.stopLossPercentage : null,
  };
}

/** A position without a current price is decided on the last one that it was valued at. */
function pricedAt(
  { symbol }: ApprovedOrder,
  { holdings }: TradingDeployment,
  market: TradingMarket,
): Instant {
  const stored = market.marks.has(symbol) ? undefined : holdings.get(symbol);
  return stored?.markedAt ?? market.pricedAt;
}

function afterStep(
  before: TradingDeployment,
  { state }: StepResult,
  event: EngineEvent,
  { instruments, unpriced }: TradingMarket,
): TradingDeployment {
  const { portfolio, marks } = state;
  const prices = { marks, instruments, unpriced };
  const { holdings, equity } = valueHoldings(portfolio, before.holdings, event.at, prices);
  // A position valued at an older price keeps the time of that price.
  const isPriced = !unpriced.some((symbol) => holdings.has(symbol));
  const after: TradingDeployment = {
    ...before,
    cash: portfolio.cash,
    realized: portfolio.realized,
    equity,
    peakEquity: state.peakEquity,
    frozenAt: state.frozenAt,
    stoppedOut: state.stoppedOut,
    appliedTargetId: (state.target?.id ?? null) as TargetId | null,
    markedAt: isPriced ? event.at : before.markedAt,
    holdings,
  };
  const freezes = state.frozenAt !== null && before.frozenAt === null;
  const frozen = freezes ? freeze(before, before.limits.freezeOnDrawdownPercent) : null;
  if (frozen === null) return after;
  const { status, requestedStatus, reason } = frozen;
  return { ...after, status, requestedStatus, reason };
}

/** Marks without a decision leave no receipt; everything else does, even when nothing was traded. */
function receiptOf(
  event: EngineEvent,
  { orders, refusals }: StepResult,
  { id, decision }: Pick<Receipt, 'decision'> & { readonly id: TradingDeployment['id'] },
): Receipt[] {
  if (event.type !== 'target' && orders.length === 0 && refusals.length === 0) return [];
  const targetId = event.type === 'target' ? (event.id as TargetId) : null;
  return [{ deploymentId: id, targetId, at: event.at, cause: causeOf(event), refusals, decision }];
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
 * The running row of the trading day: the last one of the day stays. An event that moves no money and no price writes
 * none. A fill belongs to its own day at the earliest: a venue may report its opening while our clock is still before
 * it.
 */
function markOf(after: TradingDeployment, event: EngineEvent, market: TradingMarket): EquityMark[] {
  if (event.type !== 'mark' && event.type !== 'fill' && event.type !== 'position_event') return [];
  const mark = equityMark(after, event.at, market, dayOf(event));
  return mark === null ? [] : [mark];
}

/** Not before the fill itself, as far as a venue's clock can be believed. */
function dayOf({ at, fill }: { readonly at: Instant; readonly fill?: Fill }): Instant {
  return fill === undefined ? at : (Math.max(at, Math.min(fill.at, at + DAY_MS)) as Instant);
}
