// In-flight orders without a trustworthy answer. They are never sent again. The quarantine ends when the broker shows
// them; when their day is over and the account's positions prove that nothing came of them; or when a person decides.
import { type AccountEvidence, absenceOf } from '#engine/execution/reconciliation/external-position.ts';
import type { OrderRecord } from '#engine/execution/orders/order-record.ts';
import {
  applyResolution,
  coversOrder,
  isDayOver,
  resolveUnlisted,
} from '#engine/execution/reconciliation/resolve-in-flight.ts';
import { AT_BROKER } from '#engine/order/order-status.ts';
import { findAgreedDifference } from '#records/adjustments/adjustments.ts';
import type { TradingConnection } from '#records/brokerage/trading-connections.ts';
import { listUnderWay } from '#records/execution/account-orders.ts';
import { findResolution, listResolved, markResolutionDone } from '#records/execution/order-resolutions.ts';
import { changeOrder, listOrders, lockOrder } from '#records/execution/orders.ts';
import type { Database } from '#records/postgres/database.ts';
import type { Symbol } from '#units/identifiers.ts';
import type { Instant } from '#units/instant.ts';
import { brokerNow, executionsKeptSince } from '../connections/broker-clock.ts';
import type { ActiveConnection } from '../connections/connection.ts';
import { changeOwnOrder } from '../execution/update-own-order.ts';
import { failingOrder } from '../incidents/failing-order.ts';
import { loadSnapshots } from '../rebalance/load-snapshots.ts';
import { tradingCalendarOf } from '#engine/market/calendar-exceptions.ts';
import { orderFacts } from '../order-facts.ts';
import { noteProblem, type TradingContext } from '../trading-context.ts';
import { findAccountBook } from './account-books.ts';
import { endLockedOrder, endOrder } from './end-order.ts';

/** The broker's lists were read and do not show the order. */
export async function reconcileUnlisted(
  context: TradingContext,
  active: ActiveConnection,
  order: OrderRecord,
  executionsFrom: Instant,
): Promise<void> {
  const { known, broker, connection } = active;
  const { database, now } = context;
  const { symbol } = order.decided;
  const calendar = tradingCalendarOf(symbol, context);
  const isOver = isDayOver({ order, calendar, now }) && !(await mayOutliveItsDay(context, active, order));
  const absence = isOver
    ? absenceOf(symbol, { ...known.health, now, ...(await readAccountOf(database, connection, symbol)) })
    : 'not_proven';
  const isCovered = coversOrder(order, { executionsFrom, keptSince: executionsKeptSince(context, broker) });
  const transition = resolveUnlisted({
    order,
    calendar,
    now,
    absence,
    isCovered,
    reconciledSince: known.health.reconciledSince,
    listLagMs: broker.limits.listLagMs,
    brokerNow: brokerNow(context, broker),
  });
  if (transition.type === 'end') await endOrder(context, order, transition.reason);
  if (transition.type === 'note_absence')
    await changeOwnOrder(context, order, { status: order.status, absentSince: transition.since });
  if (transition.type === 'quarantine') {
    const { reason } = transition;
    await changeOwnOrder(context, order, { status: 'unknown', reason });
    context.logger.warn({ ...orderFacts(order), reason }, 'trader: an order is unconfirmed');
  }
}

/** Where the broker keeps orders of its kind: unless it says that it does not know this one. */
async function mayOutliveItsDay(
  { instruments }: TradingContext,
  { broker, session, connection }: ActiveConnection,
  { decided: { symbol, clientOrderId }, brokerOrderId }: OrderRecord,
): Promise<boolean> {
  const kind = instruments.get(symbol)?.kind;
  if (kind === undefined || broker.limits.keepsOrders?.includes(kind) !== true) return false;
  if (brokerOrderId !== null) return true;
  const answer = await session.knowsOrder?.(connection.accountId, clientOrderId);
  return answer?.outcome !== 'ok' || answer.value;
}

/** What our records say of an instrument in the account. */
async function readAccountOf(
  database: Database,
  { accountId }: Pick<TradingConnection, 'accountId'>,
  symbol: Symbol,
): Promise<Pick<AccountEvidence, 'book' | 'agreed' | 'underWay'>> {
  return {
    book: await findAccountBook(database, accountId, symbol),
    agreed: await findAgreedDifference(database, accountId, symbol),
    underWay: (await listUnderWay(database, accountId)).get(symbol) ?? { buying: 0, selling: 0 },
  };
}

/** Decisions by a person about orders of this connection. */
export async function carryOutResolutions(context: TradingContext, active: ActiveConnection): Promise<void> {
  const settled = await listResolved(context.database, active.connection.id);
  if (settled.length === 0) return;
  const open = await listOrders(context.database, { connection: active.connection.id, statuses: AT_BROKER });
  for (const order of open) {
    if (!settled.includes(order.id)) continue;
    try {
      await carryOut(context, order);
    } catch (error) {
      noteProblem(
        context,
        `settling ${order.decided.clientOrderId}`,
        error,
        failingOrder(order, 'resolving'),
      );
    }
  }
}

/** The decision once deployment and order are locked: it may have been corrected, or overtaken by a fact. */
async function carryOut(context: TradingContext, { id, decided }: OrderRecord): Promise<void> {
  const present = await context.atPresent();
  await present.database.transaction().execute(async (trx) => {
    const [snapshot] = await loadSnapshots(trx, [decided.deploymentId], present, { lock: 'for update' });
    const order = await lockOrder(trx, id);
    const resolution = await findResolution(trx, id);
    if (snapshot === undefined || resolution === undefined) return;
    const outcome = applyResolution(order, resolution);
    if (outcome.type === 'change') await changeOrder(trx, id, outcome.update);
    else await endLockedOrder(trx, present, { snapshot, order, reason: outcome.reason });
    await markResolutionDone(trx, id);
  });
}
