import type { OrderRecord, OrderUpdate } from '#engine/execution/orders/order-record.ts';
import { changeOrder, lockOrder } from '#records/execution/orders.ts';
import type { TradingContext } from '../trading-context.ts';

/** Only while the connection is this trader's, and only if the order has not moved on meanwhile. */
export async function changeOwnOrder(
  context: TradingContext,
  order: OrderRecord,
  change: OrderUpdate,
): Promise<void> {
  await context.database.transaction().execute(async (trx) => {
    await context.lease.fence(trx, [order.connectionId]);
    const { status } = await lockOrder(trx, order.id);
    if (status === order.status) await changeOrder(trx, order.id, change);
  });
}
