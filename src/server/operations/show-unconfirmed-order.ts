import type { UnconfirmedOrder } from '#contract/operations/unconfirmed-order.ts';
import type { UnconfirmedOrder as OrderRecord } from '#records/execution/unconfirmed-orders.ts';
import { orderReason } from '#rules/reasons/order-reason.ts';
import { fromQuantity } from '#units/quantity.ts';

export function showUnconfirmedOrder(order: OrderRecord): UnconfirmedOrder {
  const { decision } = order;
  return {
    id: order.id,
    client_order_id: order.clientOrderId,
    deployment: order.deploymentId,
    client: order.client,
    strategy_name: order.strategyName,
    broker_name: order.brokerName,
    account: order.accountId,
    symbol: order.symbol,
    side: order.side,
    purpose: order.purpose,
    quantity: fromQuantity(order.quantity),
    filled: fromQuantity(order.filled),
    limit_price: order.limitPrice,
    currency: order.currency,
    sent_at: order.sentAt?.toISOString() ?? null,
    unknown_since: order.unknownSince?.toISOString() ?? null,
    broker_message: order.reason === null ? '' : orderReason(order.reason),
    broker_order_id: order.brokerOrderId,
    session: order.session,
    held_executions: order.heldExecutions,
    decision: decision && {
      verdict: decision.brokerOrderId === null ? 'never_arrived' : 'arrived',
      broker_order_id: decision.brokerOrderId,
      reason: decision.because,
      by: decision.by,
      at: new Date(decision.at).toISOString(),
    },
  };
}
