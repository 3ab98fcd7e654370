// Saves the transitions of deployments, all in one transaction.
import type { EndReason } from '#engine/execution/orders/order-reason.ts';
import type { StateTransition } from '#engine/execution/deployment/state-transition.ts';
import { saveHoldings } from '#records/portfolio/positions.ts';
import { insertReceipts } from '#records/deployments/receipts.ts';
import { followTarget, saveTradingDeployments } from '#records/deployments/trading-deployments.ts';
import { changeOrders } from '#records/execution/order-progress.ts';
import { insertOrders, withdrawOrders } from '#records/execution/orders.ts';
import { insertNotifications } from '#records/notifications/notifications-outbox.ts';
import { upsertEquityMarks } from '#records/portfolio/equity-marks.ts';
import { postTransactions } from '#records/portfolio/ledger.ts';
import type { TracedOrder } from '#ports/tracing.ts';
import type { Transaction } from '#records/postgres/database.ts';
import type { NotificationId, OrderId } from '#units/identifiers.ts';
import type { TradingContext } from '../trading-context.ts';

/** The caller holds the locks of the deployments and of the orders that are updated. Returns the orders that are new. */
export async function saveTransitions(
  trx: Transaction,
  { newId, report }: Pick<TradingContext, 'newId' | 'report'>,
  transitions: readonly StateTransition[],
): Promise<readonly TracedOrder[]> {
  await withdraw(trx, transitions);
  await postTransactions(
    trx,
    transitions.flatMap(({ postings }) => postings),
  );
  const updates = transitions.flatMap(({ orderUpdates }) => orderUpdates);
  await changeOrders(trx, updates);
  for (const { update } of updates)
    if (update.status !== 'filled' && update.endedAt !== undefined) report.ordersEnded += 1;
  const moved = transitions.filter(({ before, after }) => before !== after);
  await saveMoved(trx, moved);
  await saveHoldings(
    trx,
    moved.map(({ before, after, at }) => ({
      deploymentId: after.id,
      before: before.holdings,
      after: after.holdings,
      at,
    })),
  );
  const orders = transitions.flatMap((one) =>
    one.orders.map((order) => ({ ...order, id: newId() as OrderId })),
  );
  await insertOrders(trx, orders);
  report.ordersWritten += orders.length;
  await insertReceipts(
    trx,
    transitions.flatMap(({ receipts }) => receipts),
  );
  await insertNotifications(
    trx,
    transitions.flatMap(({ notices }) => notices.map((one) => ({ ...one, id: newId() as NotificationId }))),
  );
  await upsertEquityMarks(
    trx,
    transitions.flatMap(({ equityMarks }) => equityMarks),
  );
  return orders.map(({ id, targetId, order }) => ({ id, targetId, decided: order }));
}

/** One statement for all orders withdrawn for the same reason. */
async function withdraw(trx: Transaction, transitions: readonly StateTransition[]): Promise<void> {
  const ofReason = new Map<
    string,
    { ids: OrderId[]; ending: { reason: EndReason; at: StateTransition['at'] } }
  >();
  for (const { withdrawal, at } of transitions) {
    if (withdrawal === null) continue;
    const { reason, orders } = withdrawal;
    const key = `${at} ${JSON.stringify(reason)}`;
    const same = ofReason.get(key) ?? { ids: [], ending: { reason, at } };
    same.ids.push(...orders);
    ofReason.set(key, same);
  }
  for (const { ids, ending } of ofReason.values()) await withdrawOrders(trx, ids, ending);
}

/** One statement for all deployments that only follow a new target now. */
async function saveMoved(trx: Transaction, moved: readonly StateTransition[]): Promise<void> {
  const following = Map.groupBy(moved, ({ before, after, at }) =>
    after.appliedTargetId !== null && after.markedAt === at && onlyFollows(before, after)
      ? `${after.appliedTargetId} ${at}`
      : null,
  );
  const others = following.get(null) ?? [];
  following.delete(null);
  for (const changes of following.values()) {
    const { after, at } = changes[0]!;
    const ids = changes.map(({ before }) => before.id);
    await followTarget(trx, ids, { target: after.appliedTargetId!, at });
  }
  await saveTradingDeployments(
    trx,
    others.map(({ after }) => after),
  );
}

type Deployment = StateTransition['after'];

function onlyFollows(before: Deployment, after: Deployment): boolean {
  return WRITTEN.every((column) => before[column] === after[column]);
}

/** The columns that trading changes, besides the target and the time of the marks. */
const WRITTEN = [
  'status',
  'reason',
  'requestedStatus',
  'cash',
  'realized',
  'equity',
  'peakEquity',
  'frozenAt',
  'freezeLiftedAt',
  'stoppedOut',
  'endedAt',
] as const satisfies readonly (keyof Deployment)[];
