// What one event made of one deployment, not yet written. `saveTransitions` makes many of them facts in one transaction.
import type { Transaction } from '#records/postgres/database.ts';
import { type EquityMark, upsertEquityMarks } from '#records/portfolio/equity-marks.ts';
import { insertNotifications, type NewNotification } from '#records/notifications/notifications-outbox.ts';
import { insertOrders, type NewOrder } from '#records/execution/orders.ts';
import { saveHoldings } from '#records/portfolio/positions.ts';
import { insertReceipts, type Receipt } from '#records/deployments/receipts.ts';
import {
  followTarget,
  saveTradingDeployments,
  type TradingDeployment,
} from '#records/deployments/trading-deployments.ts';
import type { Instant } from '#units/instant.ts';

export type StateTransition = {
  readonly before: TradingDeployment;
  readonly after: TradingDeployment;
  readonly at: Instant;
  readonly orders: readonly NewOrder[];
  readonly receipts: readonly Receipt[];
  readonly notifications: readonly NewNotification[];
  readonly equityMarks: readonly EquityMark[];
};

/** A change that says nothing yet. */
export function noTransition(record: TradingDeployment, at: Instant): StateTransition {
  return { before: record, after: record, at, orders: [], receipts: [], notifications: [], equityMarks: [] };
}

/** The caller holds the locks of the deployments. */
export async function saveTransitions(trx: Transaction, changes: readonly StateTransition[]): Promise<void> {
  const moved = changes.filter(({ before, after }) => before !== after);
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
  await insertOrders(
    trx,
    changes.flatMap(({ orders }) => orders),
  );
  await insertReceipts(
    trx,
    changes.flatMap(({ receipts }) => receipts),
  );
  await insertNotifications(
    trx,
    changes.flatMap(({ notifications }) => notifications),
  );
  await upsertEquityMarks(
    trx,
    changes.flatMap(({ equityMarks }) => equityMarks),
  );
}

/** Whoever only follows another target now is written by one statement for all of them. */
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

function onlyFollows(before: TradingDeployment, after: TradingDeployment): boolean {
  return (
    before.status === after.status &&
    before.reason === after.reason &&
    before.requestedStatus === after.requestedStatus &&
    before.cash === after.cash &&
    before.realized === after.realized &&
    before.equity === after.equity &&
    before.peakEquity === after.peakEquity &&
    before.frozenAt === after.frozenAt &&
    before.stoppedOut === after.stoppedOut &&
    before.endedAt === after.endedAt
  );
}
