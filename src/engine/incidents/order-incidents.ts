// The orders of a connection that only a person can resolve unless the broker does, as tasks for staff.
import { awaitsStop } from '../execution/orders/order-holds.ts';
import { isProtective, isUnresolved } from '../execution/orders/open-order.ts';
import type { OrderRecord } from '../execution/orders/order-record.ts';
import type { NewIncident } from './incident-changes.ts';

export const ORDER_INCIDENTS = ['exit_waits_for_stop', 'exit_waits_for_order', 'order_unconfirmed'] as const;

/** An unsent exit that an order in the other direction holds back: an account does not trade with itself. */
export type CrossedExit = Pick<OrderRecord['decided'], 'symbol' | 'side'>;

/** `open` are all orders of the connection that have not ended, `crossed` those of its account, over any connection. */
export function orderIncidents(
  open: readonly OrderRecord[],
  crossed: readonly CrossedExit[],
): readonly NewIncident[] {
  return open.filter(isUnresolved).map((order) => {
    const { symbol, deploymentId, clientOrderId, side } = order.decided;
    const { status, reason, visibility, cancelTries } = order;
    return {
      kind: kindOf(order, open, crossed),
      subject: order.id,
      symbol,
      deploymentId,
      facts: {
        clientOrderId,
        side,
        purpose: order.decided.purpose,
        status,
        reason: reason?.code ?? null,
        visibility,
        cancelTries: cancelTries?.count ?? 0,
      },
    };
  });
}

function kindOf(
  order: OrderRecord,
  open: readonly OrderRecord[],
  crossed: readonly CrossedExit[],
): (typeof ORDER_INCIDENTS)[number] {
  const { symbol, side } = order.decided;
  if (isProtective(order) && open.some((other) => waitsForStop(order, other))) return 'exit_waits_for_stop';
  const isInTheWay = crossed.some((exit) => exit.symbol === symbol && exit.side !== side);
  return isInTheWay ? 'exit_waits_for_order' : 'order_unconfirmed';
}

function waitsForStop({ decided: stop }: OrderRecord, { decided, status, reason }: OrderRecord): boolean {
  const isOfPosition = decided.deploymentId === stop.deploymentId && decided.symbol === stop.symbol;
  return isOfPosition && status === 'intended' && reason !== null && awaitsStop(reason);
}
