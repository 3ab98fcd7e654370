// An order is over with something unfilled: cancelled, rejected, expired, or never sent. The engine may go on with what
// waited for it, and a target that was not reached is tried again, within reason.
import { type EndReason, endStatus, isRetried } from '#engine/execution/order-reason.ts';
import { isOpen } from '#engine/order/order-status.ts';
import type { Transaction } from '#records/postgres/database.ts';
import { changeOrder, lockOrder, type OrderRecord } from '#records/execution/orders.ts';
import { type StateTransition, saveTransitions } from '../rebalance/state-transition.ts';
import { notFilledNotice } from '../rebalance/notices.ts';
import { applyEvent } from '../rebalance/apply-event.ts';
import { loadSnapshots, type DeploymentSnapshot } from '../rebalance/deployment-snapshot.ts';
import type { TradingContext } from '../trading-context.ts';

/** 'already over' when it ended meanwhile; nothing is written then. */
export async function endOrder(
  context: TradingContext,
  order: OrderRecord,
  reason: EndReason,
): Promise<'ended' | 'already over'> {
  return context.database.transaction().execute(async (trx) => {
    const [snapshot] = await loadSnapshots(trx, [order.decided.deploymentId], context, {
      lock: 'for update',
    });
    const locked = await lockOrder(trx, order.id);
    if (snapshot === undefined || !isOpen(locked.status)) return 'already over';
    await endLockedOrder(trx, context, { snapshot, order: locked, reason });
    return 'ended';
  });
}

/** For a caller that holds both locks. */
export async function endLockedOrder(
  trx: Transaction,
  context: TradingContext,
  {
    snapshot,
    order,
    reason,
  }: { readonly snapshot: DeploymentSnapshot; readonly order: OrderRecord; readonly reason: EndReason },
): Promise<void> {
  const status = endStatus(reason);
  await changeOrder(trx, order.id, { status, reason, endedAt: context.now });
  context.report.ordersEnded += 1;
  const { clientOrderId } = order.decided;
  const change = applyEvent(snapshot, { type: 'order_ended', at: context.now, clientOrderId }, context);
  const tellsOf = status === 'rejected' || status === 'expired';
  const notices = tellsOf ? [notFilledNotice(snapshot.record, order, reason, context)] : [];
  const again = forgetTarget(change, order, reason);
  await saveTransitions(trx, [{ ...again, notifications: [...again.notifications, ...notices] }]);
  context.report.ordersWritten += change.orders.length;
}

/** A deployment that follows no target is served the newest one by the next fan-out. */
function forgetTarget(change: StateTransition, order: OrderRecord, reason: EndReason): StateTransition {
  const { purpose, attempt } = order.decided;
  if (!isRetried(reason) || purpose !== 'rebalance' || attempt >= ATTEMPTS_MAX) return change;
  if (change.after.appliedTargetId !== order.targetId) return change;
  return { ...change, after: { ...change.after, appliedTargetId: null } };
}

/** One order a session: five sessions in which the price stayed beyond the collar. */
const ATTEMPTS_MAX = 5;
