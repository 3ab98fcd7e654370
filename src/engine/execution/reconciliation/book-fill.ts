// Books one execution of an order as a fill: order, ledger, position, valuation and notice.
import type { BrokerAccountId } from '#units/identifiers.ts';
import type { Instant } from '#units/instant.ts';
import { add, type Micro, notional, scale } from '#units/money.ts';
import { quantity } from '#units/quantity.ts';
import { commissionOf } from '../../market/costs.ts';
import type { Instrument } from '../../market/instrument.ts';
import type { OrderStatus } from '../../order/order-status.ts';
import type { Fill } from '../../order/order.ts';
import { type AppliedFill, applyFill } from '../../portfolio/apply-fill.ts';
import { dollarsPerQuote } from '../../portfolio/quote-rate.ts';
import { applyEvent } from '../deployment/apply-event.ts';
import type { DeploymentSnapshot } from '../deployment/deployment-snapshot.ts';
import { bookingEntries } from '../deployment/ledger-posting.ts';
import { fillNotice } from '../deployment/notices.ts';
import { isProtective } from '../orders/open-order.ts';
import type { OrderRecord, OrderUpdate } from '../orders/order-record.ts';
import type { ExpectedFee, FillReport } from './order-report.ts';
import { knownCommission } from './revise-commission.ts';
import type { NewNotice, StateTransition } from '../deployment/state-transition.ts';
import type { TradingDeployment } from '../deployment/trading-deployment.ts';
import type { TradingMarket } from '../deployment/trading-market.ts';

export type BookableExecution = FillReport & {
  readonly price: number;
  /** Null while the broker's figure is not known. */
  readonly commission: Micro | null;
  readonly expectedFee?: ExpectedFee;
  readonly at: Instant;
};

export type FillFacts = {
  readonly execution: BookableExecution;
  readonly accountId: BrokerAccountId;
  /** The order that it belongs to; see fillDoubt. */
  readonly order: OrderRecord;
  readonly instrument: Instrument;
  /** How many current units one unit of the execution is. */
  readonly splitRatio: number;
};

export type BookedFill = {
  readonly fill: Fill;
  /** Its commission is our estimate, until the broker's own figure is known. */
  readonly isProvisional: boolean;
  /** Realised profit before commission. */
  readonly realized: Micro;
  readonly transition: StateTransition;
};

export function bookFill(snapshot: DeploymentSnapshot, facts: FillFacts, market: TradingMarket): BookedFill {
  const { execution, accountId, order, instrument, splitRatio } = facts;
  const { clientOrderId, symbol, side } = order.decided;
  const { quantity: filled, price, at } = execution;
  const reported = knownCommission(execution, market.now);
  const expected = execution.expectedFee?.commission ?? null;
  const commission = reported ?? expected ?? estimatedCommission(facts, snapshot, market);
  const fill: Fill = { clientOrderId, symbol, side, quantity: filled, price, commission, at, splitRatio };
  const { portfolio, marks } = snapshot.state;
  const applied = applyFill(portfolio, fill, instrument, marks);
  const cause = `fill:${accountId}:${execution.executionId}`;
  const next = applyEvent(snapshot, { type: 'fill', at: market.now, fill }, market);
  const posting = {
    deploymentId: order.decided.deploymentId,
    kind: 'fill',
    cause,
    at,
    entries: bookingEntries(applied.booking),
  } as const;
  const transition: StateTransition = {
    ...next,
    after: isProtective(order) ? stopOut(next.after, fill) : next.after,
    orderUpdates: [{ id: order.id, update: progressOf(facts, snapshot, applied) }],
    postings: [posting],
    notices: [...next.notices, noticeOf(snapshot.record, facts, { ...applied, fill }, cause)],
  };
  return { fill, isProvisional: reported === null, realized: applied.realizedPnl, transition };
}

/** By the costs that orders are sized with. */
function estimatedCommission(
  { execution: { quantity: traded, price }, instrument }: FillFacts,
  { state }: DeploymentSnapshot,
  { terms: { costs } }: TradingMarket,
): Micro {
  const rate = dollarsPerQuote(instrument, price, state.marks);
  return commissionOf({ quantity: traded, price }, instrument, { costs, rate });
}

/** As after a stop loss: the strategy does not buy it back before it has dropped it, or turned it round. */
function stopOut(record: TradingDeployment, { symbol, side }: Fill): TradingDeployment {
  const stoppedOut = new Map(record.stoppedOut).set(symbol, side === 'sell' ? 'long' : 'short');
  return { ...record, stoppedOut };
}

function progressOf(
  { execution, order, instrument }: FillFacts,
  { state }: DeploymentSnapshot,
  { realizedPnl }: AppliedFill,
): OrderUpdate {
  const filled = quantity(order.filled + execution.quantity);
  const isWhole = filled === order.decided.quantity;
  const worth = notional(execution.quantity, execution.price, instrument.multiplier);
  const rate = dollarsPerQuote(instrument, execution.price, state.marks);
  return {
    status: isWhole ? 'filled' : statusAfterPart(order.status),
    reason: isWhole ? null : order.reason,
    brokerOrderId: execution.brokerOrderId,
    filled,
    filledValue: add(order.filledValue, rate === 1 ? worth : scale(worth, rate)),
    realized: add(order.realized, realizedPnl),
    ...(isWhole && { endedAt: execution.at }),
  };
}

/** An execution proves that the broker has the order; an ended order stays ended. */
function statusAfterPart(status: OrderStatus): OrderStatus {
  const provesWorking: readonly OrderStatus[] = ['intended', 'sending', 'unknown', 'withdrawn'];
  return provesWorking.includes(status) ? 'working' : status;
}

function noticeOf(
  record: TradingDeployment,
  { order, instrument }: FillFacts,
  { realizedPnl, fill }: AppliedFill & { readonly fill: Fill },
  cause: string,
): NewNotice {
  const { symbol, side } = order.decided;
  const held = record.holdings.get(symbol)?.quantity ?? 0;
  const closes = held !== 0 && Math.sign(held) !== (side === 'buy' ? 1 : -1);
  const { quantity: filled, price, commission, at } = fill;
  const { currency } = instrument;
  const profit = closes ? realizedPnl : null;
  return fillNotice(record, { order, quantity: filled, price, currency, commission, profit }, { cause, at });
}

/** After a stop has filled: intents decided on the earlier position are decided again. */
export function overtakenIntent(
  { id, decided: { symbol } }: OrderRecord,
  openOrders: readonly OrderRecord[],
): OrderRecord | undefined {
  return openOrders.find(
    (open) => open.id !== id && open.status === 'intended' && open.decided.symbol === symbol,
  );
}
