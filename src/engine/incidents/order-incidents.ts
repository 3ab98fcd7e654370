// The orders of a connection that only a person can resolve unless the broker does, as tasks for staff.
import { awaitsStop } from '../execution/orders/order-holds.ts';
import { isProtective, isUnresolved } from '../execution/orders/open-order.ts';
import type { OrderRecord } from '../execution/orders/order-record.ts';
import type { NewIncident } from './incident-changes.ts';

export const ORDER_INCIDENTS = ['exit_waits_for_stop', 'order_unconfirmed'] as const;

/** `open` are all orders of the connection that have not ended. */
export function orderIncidents(open: readonly OrderRecord[]): readonly NewIncident[] {
  return open.filter(isUnresolved).map((order) => {
    const { symbol, deploymentId, clientOrderId, side } = order.decided;
    const { status, reason, visibility, cancelTries } = order;
    return {
      kind:
        isProtective(order) && open.some((other) => waitsFor(order, other)) ? WAITING : 'order_unconfirmed',
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

const WAITING = 'exit_waits_for_stop';

function waitsFor({ decided: stop }: OrderRecord, { decided, status, reason }: OrderRecord): boolean {
  const isOfPosition = decided.deploymentId === stop.deploymentId && decided.symbol === stop.symbol;
  return isOfPosition && status === 'intended' && reason !== null && awaitsStop(reason);
}
