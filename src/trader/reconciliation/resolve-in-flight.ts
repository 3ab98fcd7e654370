// Orders that were sent and of which no trustworthy answer came. They are never sent again. The quarantine ends when the
// broker shows them; when their day is over and two full reconciliations agree that they are not there; or when a person
// decides.
import { findSettlement, listSettled, markSettlementDone } from '#records/execution/order-settlements.ts';
import { changeOrder, listOrders, lockOrder, type OrderRecord } from '#records/execution/orders.ts';
import { DAY_MS, type Instant } from '#units/instant.ts';
import { dayOrderEndsAt } from '#engine/execution/day-order.ts';
import { endLockedOrder, endOrder } from './end-order.ts';
import { holdsWithout } from './reconcile-positions.ts';
import { changeOwnOrder } from '../execution/update-own-order.ts';
import type { ActiveConnection } from '../connections/connection.ts';
import { loadSnapshots } from '../rebalance/deployment-snapshot.ts';
import { noteProblem, type TradingContext } from '../trading-context.ts';

/** The broker's lists were read and show nothing of the order. */
export async function resolveUnlisted(
  context: TradingContext,
  active: ActiveConnection,
  order: OrderRecord,
  executionsSince: Instant,
): Promise<void> {
  if (order.status === 'sending') {
    await changeOwnOrder(context, order, { status: 'unknown', reason: { code: 'no_answer' } });
    context.logger.warn({ order: order.decided.clientOrderId }, 'trader: the fate of an order is unknown');
    return;
  }
  const isOver = await isAbsent(context, active, order, executionsSince);
  const isLost = order.status === 'working' && shouldBeShown(context, order);
  if (isOver === null && !isLost) return;
  if (!isOver && !isLost) {
    active.health.absentSince.delete(order.id);
    return;
  }
  const { health, limits } = active;
  const first = health.absentSince.get(order.id);
  if (first === undefined || health.reconciledSince === null || health.reconciledSince > first) {
    health.absentSince.set(order.id, context.now);
    return;
  }
  if (context.now - first <= limits.listLagMs) return;
  health.absentSince.delete(order.id);
  if (!isOver) {
    await changeOwnOrder(context, order, { status: 'unknown', reason: { code: 'not_listed' } });
    return;
  }
  await endOrder(context, order, { code: 'never_shown' });
}

/** What rests is asked for by its own id; of any other order a day has passed since it ended. */
function shouldBeShown(context: TradingContext, { decided, sentAt }: OrderRecord): boolean {
  const instrument = context.instruments.get(decided.symbol);
  if (decided.purpose === 'protective' || instrument === undefined) return decided.purpose === 'protective';
  return context.now >= dayOrderEndsAt(instrument.calendar, sentAt ?? decided.decidedAt) + DAY_MS;
}

/**
 * One full comparison: the order can no longer fill, the executions reach back to it, and the position is as without it.
 * Null when what the account holds cannot be compared now.
 */
async function isAbsent(
  context: TradingContext,
  active: ActiveConnection,
  order: OrderRecord,
  executionsSince: Instant,
): Promise<boolean | null> {
  const { symbol, decidedAt } = order.decided;
  const instrument = context.instruments.get(symbol);
  if (instrument === undefined) return false;
  const placedAt = order.sentAt ?? decidedAt;
  const oldest = context.now - (active.limits.executionHistoryDays - 1) * DAY_MS;
  if (Math.max(executionsSince, oldest) > placedAt) return false;
  if (context.now < dayOrderEndsAt(instrument.calendar, placedAt)) return false;
  return holdsWithout(context, active, symbol);
}

/** What a person decided about orders of this connection. */
export async function carryOutResolutions(context: TradingContext, active: ActiveConnection): Promise<void> {
  const settled = await listSettled(context.database, active.connection.id);
  if (settled.length === 0) return;
  const unknown = await listOrders(context.database, {
    connection: active.connection.id,
    statuses: ['unknown'],
  });
  for (const order of unknown) {
    if (!settled.includes(order.id)) continue;
    try {
      await carryOut(context, order);
    } catch (error) {
      noteProblem(context, `settling ${order.decided.clientOrderId}`, error);
    }
  }
}

/** The decision as it stands once deployment and order are held: it may have been put right, or overtaken by a fact. */
async function carryOut(context: TradingContext, order: OrderRecord): Promise<void> {
  await context.database.transaction().execute(async (trx) => {
    const [snapshot] = await loadSnapshots(trx, [order.decided.deploymentId], context, {
      lock: 'for update',
    });
    const locked = await lockOrder(trx, order.id);
    const settlement = await findSettlement(trx, order.id);
    if (snapshot === undefined || settlement === undefined) return;
    const { brokerOrderId, because } = settlement;
    if (brokerOrderId !== null) {
      await changeOrder(trx, order.id, { status: 'working', reason: null, brokerOrderId });
    } else {
      const arrived = locked.brokerOrderId !== null || locked.filled > 0;
      const reason = { code: 'resolved_by_staff', arrived, because } as const;
      await endLockedOrder(trx, context, { snapshot, order: locked, reason });
    }
    await markSettlementDone(trx, order.id);
  });
}
