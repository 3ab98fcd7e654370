// An approved order read back from the records. It is the same order only if its id still derives from its fields.
import type { ClientOrderId, DeploymentId } from '#units/identifiers.ts';
import { clientOrderId } from './client-order-id.ts';
import type { ApprovedOrder, OrderDraft } from './order.ts';

export type RecordedOrder = OrderDraft & {
  readonly deploymentId: DeploymentId;
  readonly clientOrderId: ClientOrderId;
  readonly attempt: number;
};

/** Throws RangeError when the fields do not give the recorded id: such an order was never approved. */
export function restoreApprovedOrder(recorded: RecordedOrder): ApprovedOrder {
  if (clientOrderId(recorded) !== recorded.clientOrderId) {
    throw new RangeError(`order ${recorded.clientOrderId} does not derive from its own fields`);
  }
  return recorded as ApprovedOrder;
}
