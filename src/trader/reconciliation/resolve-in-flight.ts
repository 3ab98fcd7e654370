// Orders that were sent and of which no trustworthy answer came. They are never sent again. The quarantine ends when the
// broker shows them; when their day is over and two full reconciliations agree that they are not there; or when a person
// decides.
import { holdsWithoutOrder } from '#engine/execution/reconcile-positions.ts';
import { type Absence, canBeProvenAbsent, resolveUnlisted } from '#engine/execution/resolve-in-flight.ts';
import { findResolution, listResolved, markResolutionDone } from '#records/execution/order-resolutions.ts';
import { changeOrder, listOrders, lockOrder, type OrderRecord } from '#records/execution/orders.ts';
import type { Instant } from '#units/instant.ts';
import type { ActiveConnection } from '../connections/connection.ts';
import { changeOwnOrder } from '../execution/update-own-order.ts';
import { loadSnapshots } from '../rebalance/deployment-snapshot.ts';
import { noteProblem, type TradingContext } from '../trading-context.ts';
import { findAccountBook, isLastSessionProcessed } from './account-books.ts';
import { endLockedOrder, endOrder } from './end-order.ts';

/** The broker's lists were read and show nothing of the order. */
export async function reconcileUnlisted(
  context: TradingContext,
  active: ActiveConnection,
  order: OrderRecord,
  from: Instant,
): Promise<void> {
  const { health, limits } = active;
  const { now } = context;
  const calendar = context.instruments.get(order.decided.symbol)?.calendar ?? null;
  const asked = { order, calendar, now, executionsFrom: from, historyDays: limits.executionHistoryDays };
  const transition = resolveUnlisted({
    order,
    calendar,
    now,
    absence: canBeProvenAbsent(asked) ? await compareHoldings(context, active, order) : 'not_proven',
    missedSince: health.missedSince.get(order.id) ?? null,
    reconciledSince: health.reconciledSince,
    listLagMs: limits.listLagMs,
  });
  if (transition.type === 'none') return;
  if (transition.type === 'miss') health.missedSince.set(order.id, transition.since);
  else health.missedSince.delete(order.id);
  if (transition.type === 'end') await endOrder(context, order, transition.reason);
  if (transition.type === 'quarantine') {
    const { reason } = transition;
    await changeOwnOrder(context, order, { status: 'unknown', reason });
    context.logger.warn({ order: order.decided.clientOrderId, reason }, 'trader: an order is unconfirmed');
  }
}

async function compareHoldings(
  { database, now }: TradingContext,
  { connection, health }: ActiveConnection,
  { decided: { symbol } }: OrderRecord,
): Promise<Absence> {
  if (health.held === null) return 'unknown';
  const book = (await findAccountBook(database, connection.accountId, symbol)) ?? null;
  if (book !== null && !isLastSessionProcessed(book, now)) return 'unknown';
  const held = health.held.get(symbol) ?? 0;
  const beside = health.seen.beside.get(symbol) ?? 0;
  return holdsWithoutOrder({ held, book, beside }) ? 'proven' : 'not_proven';
}

/** What a person decided about orders of this connection. */
export async function carryOutResolutions(context: TradingContext, active: ActiveConnection): Promise<void> {
  const settled = await listResolved(context.database, active.connection.id);
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
    const settlement = await findResolution(trx, order.id);
    if (snapshot === undefined || settlement === undefined) return;
    const { brokerOrderId, because } = settlement;
    if (brokerOrderId !== null) {
      await changeOrder(trx, order.id, { status: 'working', reason: null, brokerOrderId });
    } else {
      const arrived = locked.brokerOrderId !== null || locked.filled > 0;
      const reason = { code: 'resolved_by_staff', arrived, because } as const;
      await endLockedOrder(trx, context, { snapshot, order: locked, reason });
    }
    await markResolutionDone(trx, order.id);
  });
}
