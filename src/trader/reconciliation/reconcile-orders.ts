// What happened at the broker becomes ours: executions are booked, orders that ended end here too. Nothing is
// concluded from what a list does not show, but for orders whose day is long over.
import { isSameReason, type OrderReason, type WorkingReason } from '#engine/execution/order-reason.ts';
import type { BrokerExecution, BrokerOrder } from '#ports/broker.ts';
import { listHeldExecutions, noteExecution, receiveExecutions } from '#records/execution/broker-inbox.ts';
import { insertExternalFill, knownExecutions, lastExecutionAt } from '#records/execution/fills.ts';
import { findOrder, listOrders, type OrderRecord } from '#records/execution/orders.ts';
import { AT_BROKER, type OrderStatus } from '#engine/order/order-status.ts';
import type { ClientOrderId } from '#units/identifiers.ts';
import { DAY_MS, type Instant, SECOND_MS } from '#units/instant.ts';
import { valueOf } from '../connections/broker-unavailable.ts';
import { bookExecution } from './book-execution.ts';
import { changeOwnOrder } from '../execution/update-own-order.ts';
import { dayOrderEndsAt } from '#engine/execution/day-order.ts';
import type { ActiveConnection } from '../connections/connection.ts';
import { endOrder } from './end-order.ts';
import { readPositions } from './reconcile-positions.ts';
import { carryOutResolutions, resolveUnlisted } from './resolve-in-flight.ts';
import { isOutdated, judgeRevision } from './revised-executions.ts';
import { noteProblem, type TradingContext } from '../trading-context.ts';
import { attributeFills } from './attribute-fills.ts';

/** Throws when the broker does not answer: a list that failed is not an empty list. */
export async function reconcile(context: TradingContext, active: ActiveConnection): Promise<void> {
  const { connection, session } = active;
  const open = await listOrders(context.database, { connection: connection.id, statuses: AT_BROKER });
  // Orders first: an execution that a listed ending rests on is then in the list of executions that follows.
  const brokerOrders = valueOf('orders', await session.orders(connection.accountId));
  const since = await executionsSince(context, active, open);
  const executions = valueOf('executions', await session.executions(connection.accountId, since));
  const before = bookedSoFar(context);
  await bookExecutions(context, active, executions, brokerOrders);
  if (bookedSoFar(context) !== before || positionsAreDue(context, active, open))
    await readPositions(context, active);
  await carryOutResolutions(context, active);
  await settleOrders(context, active, { brokerOrders, since });
}

function bookedSoFar({ report }: TradingContext): number {
  return report.fillsBooked + report.externalFills;
}

/** After a gap and while something is unsure at each look, else now and then: the person may trade by hand. */
function positionsAreDue(
  { realNow }: TradingContext,
  { health }: ActiveConnection,
  open: readonly OrderRecord[],
): boolean {
  if (health.reconciledSince === null || health.held === null) return true;
  if (open.some(({ status }) => status === 'unknown' || status === 'sending')) return true;
  // An exit leaves once a stop is gone, and only if what it sells is still there then.
  if (open.some(({ reason }) => reason?.code === 'cancel_requested')) return true;
  return realNow() - health.heldAt >= POSITIONS_EVERY_MS;
}

async function executionsSince(
  context: TradingContext,
  { connection, limits }: ActiveConnection,
  open: readonly OrderRecord[],
): Promise<Instant> {
  const last = (await lastExecutionAt(context.database, connection.id)) ?? context.now;
  const oldest = Math.min(last, ...open.map(({ decided, sentAt }) => sentAt ?? decided.decidedAt));
  // What has rested for weeks needs no more than the broker keeps.
  const kept = context.now - limits.executionHistoryDays * DAY_MS;
  return Math.max(oldest - DAY_MS, Math.min(kept, last - DAY_MS)) as Instant;
}

async function bookExecutions(
  context: TradingContext,
  active: ActiveConnection,
  executions: readonly BrokerExecution[],
  brokerOrders: readonly BrokerOrder[],
): Promise<void> {
  const { database } = context;
  const { id: connection, accountId: account } = active.connection;
  const inbox = { connection, account };
  const ids = executions.map(({ executionId }) => executionId);
  const known = await knownExecutions(database, account, ids);
  const fresh = executions.filter(({ executionId }) => !known.has(executionId));
  const named = new Map(brokerOrders.map((order) => [order.brokerOrderId, order.clientOrderId]));
  const nameOf = ({ clientOrderId, brokerOrderId }: BrokerExecution) =>
    clientOrderId ?? named.get(brokerOrderId) ?? null;
  await receiveExecutions(database, inbox, await attributeFills(context, active, fresh, nameOf));
  const waiting = await listHeldExecutions(database, inbox);
  const toldWith = waiting.map(({ executionId }) => executionId);
  for (const execution of waiting) {
    const { executionId: id } = execution;
    try {
      // Of several revisions that came together only the last one counts.
      const held = isOutdated(execution, toldWith)
        ? null
        : await bookOne(context, active, execution, nameOf(execution));
      await noteExecution(database, inbox, { id, held });
      if (held !== null) noteProblem(context, `execution ${id}`, new Error(`held: ${held}`));
    } catch (error) {
      noteProblem(context, `execution ${id}`, error);
    }
  }
}

/** Why it is held; null when it was booked, now or before, or is outdated. */
async function bookOne(
  context: TradingContext,
  { connection }: ActiveConnection,
  execution: BrokerExecution,
  clientOrderId: ClientOrderId | null,
): Promise<string | null> {
  const { accountId, id } = connection;
  const { brokerOrderId } = execution;
  const order = await findOrder(context.database, { connection: id, clientOrderId, brokerOrderId });
  if (order === undefined) {
    const waiting = await listOrders(context.database, { connection: id, statuses: ['sending', 'unknown'] });
    const couldBe = waiting.some(
      ({ decided }) => decided.symbol === execution.symbol && decided.side === execution.side,
    );
    // Without an id it could be of an order whose answer was lost; it waits until that one is known.
    if (clientOrderId === null && couldBe) return 'it may belong to an order whose fate is not known yet';
    const revision = await judgeRevision(context.database, accountId, execution);
    if (revision !== 'book') return revision === 'forget' ? null : revision.held;
    const { executionId, symbol, brokerInstrumentId, side, quantity, price, at } = execution;
    const booked = await insertExternalFill(context.database, {
      executionId,
      accountId,
      symbol: symbol ?? brokerInstrumentId,
      side,
      quantity,
      price,
      at,
    });
    if (booked === 'booked') {
      context.report.externalFills += 1;
      context.logger.warn({ accountId, execution }, 'trader: an execution of no order of ours; kept apart');
    }
    return null;
  }
  const result = await bookExecution(context, accountId, execution, order);
  if (typeof result !== 'string') return result.held;
  if (result === 'booked') context.report.fillsBooked += 1;
  return null;
}

type Listed = { readonly brokerOrders: readonly BrokerOrder[]; readonly since: Instant };

async function settleOrders(
  context: TradingContext,
  active: ActiveConnection,
  { brokerOrders, since }: Listed,
): Promise<void> {
  const byClientId = new Map(brokerOrders.map((order) => [order.clientOrderId, order]));
  const byBrokerId = new Map(brokerOrders.map((order) => [order.brokerOrderId, order]));
  const open = await listOrders(context.database, { connection: active.connection.id, statuses: AT_BROKER });
  for (const order of open) {
    const listed =
      byClientId.get(order.decided.clientOrderId) ??
      (order.brokerOrderId === null ? undefined : byBrokerId.get(order.brokerOrderId));
    try {
      const shown = listed ?? (await findResting(active, order));
      if (shown === null) await resolveUnlisted(context, active, order, since);
      else {
        active.health.absentSince.delete(order.id);
        await settleListed(context, active, order, shown);
      }
    } catch (error) {
      noteProblem(context, `order ${order.decided.clientOrderId}`, error);
    }
  }
  await cancelReappeared(context, active, brokerOrders, open);
}

/** A list of orders may leave out what rests since an earlier session: such a one is asked for by itself. */
async function findResting(
  { connection, session }: ActiveConnection,
  { decided, brokerOrderId }: OrderRecord,
): Promise<BrokerOrder | null> {
  if (decided.purpose !== 'protective' || brokerOrderId === null || session.findOrder === undefined)
    return null;
  return valueOf('order', await session.findOrder(connection.accountId, brokerOrderId));
}

/** A stop that turns up after its quarantine had ended is taken away: another one may rest in its place. */
async function cancelReappeared(
  context: TradingContext,
  { connection, session }: ActiveConnection,
  brokerOrders: readonly BrokerOrder[],
  open: readonly OrderRecord[],
): Promise<void> {
  const known = new Set(open.map(({ decided }) => decided.clientOrderId));
  for (const { clientOrderId, brokerOrderId, status } of brokerOrders) {
    if (status !== 'working' || clientOrderId === null || known.has(clientOrderId)) continue;
    const order = await findOrder(context.database, {
      connection: connection.id,
      clientOrderId,
      brokerOrderId,
    });
    if (order?.decided.purpose !== 'protective' || !ENDED.includes(order.status)) continue;
    context.logger.warn(
      { order: clientOrderId },
      'trader: a stop that had ended rests at the broker; cancelled',
    );
    await session.cancelOrder(connection.accountId, brokerOrderId);
  }
}

const ENDED: readonly OrderStatus[] = ['cancelled', 'rejected', 'expired', 'withdrawn'];

async function settleListed(
  context: TradingContext,
  active: ActiveConnection,
  order: OrderRecord,
  listed: BrokerOrder,
): Promise<void> {
  if (listed.status === 'working' || listed.status === 'attention') {
    const reason = workingReason(order, listed);
    if (order.status === 'working' && isSameReason(order.reason, reason) && order.brokerOrderId !== null)
      return;
    const { brokerOrderId } = listed;
    await changeOwnOrder(context, order, { status: 'working', reason, brokerOrderId });
    return;
  }
  if (listed.filled > order.filled || listed.status === 'filled') {
    await awaitExecutions(context, active, order, listed);
    return;
  }
  await endOrder(context, order, { code: listed.status, said: listed.note });
}

function workingReason(order: OrderRecord, { status, note }: BrokerOrder): WorkingReason | null {
  const isParked = status === 'attention';
  if (order.reason?.code === 'cancel_requested')
    return { code: 'cancel_requested', parked: isParked ? note : null };
  return isParked ? { code: 'parked', said: note } : null;
}

/** The broker says that more was filled than its executions have shown: they come late, or a person must look. */
async function awaitExecutions(
  context: TradingContext,
  { health }: ActiveConnection,
  order: OrderRecord,
  listed: BrokerOrder,
): Promise<void> {
  const { brokerOrderId } = listed;
  const instrument = context.instruments.get(order.decided.symbol);
  const rests = order.decided.purpose === 'protective';
  const seenAt = health.unexplainedSince.get(order.id) ?? context.now;
  if (rests) health.unexplainedSince.set(order.id, seenAt);
  const placedAt = rests ? seenAt : (order.sentAt ?? order.decided.decidedAt);
  const isLate = instrument && context.now >= dayOrderEndsAt(instrument.calendar, placedAt) + LATE_LIST_MS;
  const status = isLate ? 'unknown' : 'working';
  const reason = missingExecutions(listed, { isLate: isLate === true, rests });
  if (order.status === status && isSameReason(order.reason, reason)) return;
  context.logger.warn(
    { order: order.decided.clientOrderId, listed },
    'trader: executions of an order are missing',
  );
  await changeOwnOrder(context, order, { status, reason, brokerOrderId });
}

function missingExecutions(
  { status: reported }: BrokerOrder,
  { isLate, rests }: { readonly isLate: boolean; readonly rests: boolean },
): OrderReason | null {
  if (isLate) return { code: 'executions_missing', reported };
  return rests ? { code: 'fill_begun' } : null;
}

/** How late executions may follow the end of their order's day before a person is asked. */
const LATE_LIST_MS = DAY_MS;
const POSITIONS_EVERY_MS = 30 * SECOND_MS;
