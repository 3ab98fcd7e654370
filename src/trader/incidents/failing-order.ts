import type { Problem } from '#engine/incidents/problem-log.ts';
import type { OrderRecord } from '#engine/execution/orders/order-record.ts';

/** The problem of a task for one order. */
export function failingOrder(
  { id, connectionId, decided }: OrderRecord,
  task: 'sending' | 'cancelling' | 'reconciling' | 'resolving',
): Problem {
  const { deploymentId, symbol } = decided;
  return { kind: 'order_failing', subject: id, symbol, connectionId, deploymentId, task };
}
