import type { operationsEndpoints } from '#contract/operations/operations.ts';
import { isOrderOfOthers, resolveOrder as settle } from '#records/execution/order-resolutions.ts';
import { findUnconfirmedOrder, lockOrderToDecide } from '#records/execution/unconfirmed-orders.ts';
import type { Call } from '../http/call.ts';
import { notFound, refuse, type Refused } from '../http/refusal.ts';
import { staffOf, transactAs } from './act-as-staff.ts';
import { showUnconfirmedOrder } from './show-unconfirmed-order.ts';

/** How many characters of the client order id must be retyped before a decision counts. */
const CONFIRMED_SIGNS = 6;

/** Locks the order while writing: if the broker reported first, the order has moved on and there is nothing to decide. */
export const resolveOrder: Call<typeof operationsEndpoints.resolveOrder> = async (
  { params: { id }, body, request },
  dependencies,
) => {
  const { database } = dependencies.records;
  const support = staffOf(request);
  const brokerOrderId = body.verdict === 'arrived' ? body.broker_order_id : null;
  const refused = await transactAs(support, dependencies, async (trx): Promise<Refused | null> => {
    const order = await lockOrderToDecide(trx, id);
    if (order === undefined) return notFound();
    if (!order.isUnresolved) return refuse('already_decided', decidedText(order.status));
    if (body.confirmation !== order.clientOrderId.slice(-CONFIRMED_SIGNS)) {
      const said = `To confirm, enter the last ${CONFIRMED_SIGNS} characters of the client order ID.`;
      return refuse('invalid_field', said, { field: 'confirmation' });
    }
    if (brokerOrderId !== null && (await isOrderOfOthers(trx, { orderId: order.id, brokerOrderId }))) {
      const said = `Broker order ID ${brokerOrderId} belongs to another order of this account.`;
      return refuse('in_use', said, { field: 'broker_order_id' });
    }
    await settle(trx, { orderId: order.id, brokerOrderId, because: body.reason, decidedBy: support.email });
    return null;
  });
  if (refused !== null) return refused;
  const order = await findUnconfirmedOrder(database, id);
  // The trader was faster than this answer, with this decision or with the broker's report.
  if (order === undefined) return refuse('already_decided', 'The trader has just resolved this order.');
  return showUnconfirmedOrder(order);
};

function decidedText(status: string): string {
  return `There is nothing to resolve: this order is now ${STATUS_WORDS[status] ?? status}.`;
}

const STATUS_WORDS: Readonly<Record<string, string>> = {
  intended: 'waiting to be sent',
  sending: 'being sent',
  working: 'open at the broker',
};
