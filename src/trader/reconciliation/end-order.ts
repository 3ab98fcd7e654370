import { isProtective } from '#engine/execution/orders/open-order.ts';
import { orderEnded } from '#engine/execution/orders/order-ended.ts';
import type { DeploymentSnapshot } from '#engine/execution/deployment/deployment-snapshot.ts';
import type { OrderRecord } from '#engine/execution/orders/order-record.ts';
import { type EndReason, endStatus } from '#engine/execution/orders/order-reason.ts';
import { isOpen } from '#engine/order/order-status.ts';
import { lockOrder } from '#records/execution/orders.ts';
import { wasRefusedBefore } from '#records/execution/unprotected-positions.ts';
import type { Transaction } from '#records/postgres/database.ts';
import { loadSnapshots } from '../rebalance/load-snapshots.ts';
import { saveTransitions } from '../rebalance/save-transitions.ts';
import type { TradingContext } from '../trading-context.ts';

/** 'already over' when it ended meanwhile; nothing is written then. */
export async function endOrder(
  context: TradingContext,
  { id, decided }: OrderRecord,
  reason: EndReason,
): Promise<'ended' | 'already over'> {
  const present = await context.atPresent();
  return present.database.transaction().execute(async (trx) => {
    const [snapshot] = await loadSnapshots(trx, [decided.deploymentId], present, { lock: 'for update' });
    const order = await lockOrder(trx, id);
    if (snapshot === undefined || !isOpen(order.status)) return 'already over';
    await endLockedOrder(trx, present, { snapshot, order, reason });
    return 'ended';
  });
}

/** For a caller that holds both locks. */
export async function endLockedOrder(
  trx: Transaction,
  context: TradingContext,
  ended: {
    readonly snapshot: DeploymentSnapshot;
    readonly order: OrderRecord;
    readonly reason: EndReason;
  },
): Promise<void> {
  const { order, reason } = ended;
  const isRepeated =
    isProtective(order) && endStatus(reason) === 'rejected' && (await wasRefusedBefore(trx, order.id));
  await saveTransitions(trx, context, [orderEnded(ended.snapshot, { order, reason, isRepeated }, context)]);
}
