// An exit of more than the broker shows gives way to one of what it shows. The rest is decided anew, and waits.
import type { Transaction } from '#records/postgres/database.ts';
import { changeOrder, type OrderRecord } from '#records/execution/orders.ts';
import type { Quantity } from '#units/quantity.ts';
import { saveTransitions } from '../rebalance/state-transition.ts';
import { applyEvent } from '../rebalance/apply-event.ts';
import type { DeploymentSnapshot } from '../rebalance/deployment-snapshot.ts';
import type { TradingContext } from '../trading-context.ts';

/** For a caller that holds both locks, of an order that has not left. False, and nothing done, when no order takes its place. */
export async function resizeExit(
  trx: Transaction,
  context: TradingContext,
  {
    snapshot,
    order,
    available,
  }: { readonly snapshot: DeploymentSnapshot; readonly order: OrderRecord; readonly available: Quantity },
): Promise<boolean> {
  const { clientOrderId, cause } = order.decided;
  const event = { type: 'resize_exit', at: context.now, clientOrderId, cause, available } as const;
  const change = applyEvent(snapshot, event, context);
  const [instead] = change.orders;
  if (instead === undefined) return false;
  const reason = { code: 'resized', available: instead.order.quantity } as const;
  await changeOrder(trx, order.id, { status: 'withdrawn', reason, endedAt: context.now });
  context.report.ordersEnded += 1;
  await saveTransitions(trx, [change]);
  context.report.ordersWritten += change.orders.length;
  return true;
}
