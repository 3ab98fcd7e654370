import type { LifecycleTransition } from '#engine/lifecycle/advance.ts';
import type { TradingDeployment } from '#records/deployments/trading-deployments.ts';
import { withdrawOrders } from '#records/execution/orders.ts';
import type { Transaction } from '#records/postgres/database.ts';
import { applyEvent, equityMark } from '../rebalance/apply-event.ts';
import type { DeploymentSnapshot } from '../rebalance/deployment-snapshot.ts';
import { lifecycleNotice } from '../rebalance/notices.ts';
import { noTransition, saveTransitions, type StateTransition } from '../rebalance/state-transition.ts';
import type { TradingContext } from '../trading-context.ts';

/** The caller holds the lock of the deployment. */
export async function saveLifecycle(
  trx: Transaction,
  snapshot: DeploymentSnapshot,
  transition: LifecycleTransition,
  context: TradingContext,
): Promise<void> {
  const { withdrawal } = transition;
  if (withdrawal !== null)
    await withdrawOrders(trx, withdrawal.orders, { reason: withdrawal.reason, at: context.now });
  const change =
    transition.effect === 'close_positions'
      ? closePositions(snapshot, context)
      : lifecycleChange(snapshot.record, transition, context);
  if (change.before === change.after && change.orders.length === 0) return;
  await saveTransitions(trx, [change]);
  context.report.commandsApplied += 1;
  context.report.ordersWritten += change.orders.length;
}

function closePositions(snapshot: DeploymentSnapshot, context: TradingContext): StateTransition {
  const { status } = snapshot.record;
  const event = { type: 'liquidate', at: context.now, id: status, marks: context.marks } as const;
  return applyEvent(snapshot, event, context);
}

function lifecycleChange(
  record: TradingDeployment,
  transition: LifecycleTransition,
  context: TradingContext,
): StateTransition {
  const { status, requestedStatus, reason, effect, notice } = transition;
  const change = noTransition(record, context.now);
  const isSame =
    status === record.status && requestedStatus === record.requestedStatus && reason === record.reason;
  if (isSame) return change;
  const moved: TradingDeployment = { ...record, status, requestedStatus, reason };
  const begins = effect === 'begin';
  const mark = begins ? equityMark(record, context.now, context) : null;
  return {
    ...change,
    after: {
      ...moved,
      ...((begins || effect === 'release_target') && { appliedTargetId: null }),
      ...(begins && { markedAt: context.now }),
      ...(effect === 'end' && { endedAt: context.now }),
    },
    notifications: notice === null ? [] : [lifecycleNotice(record, notice, context)],
    equityMarks: mark === null ? [] : [mark],
  };
}
