import type { TracedOrder } from '#ports/tracing.ts';

/** The ids by which a line of the log about an order is found; the target is the id of its trace. */
export function orderFacts({ id, targetId, decided }: TracedOrder): Readonly<Record<string, string>> {
  const { clientOrderId, deploymentId } = decided;
  return { orderId: id, clientOrderId, deploymentId, ...(targetId !== null && { targetId }) };
}
