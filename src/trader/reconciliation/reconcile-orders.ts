// Reconciles orders with the broker: executions are booked, orders that ended there end here too. Nothing is
// concluded from an order missing in a list, except for orders whose day is long over.
import { isBeforeOpening } from '#engine/cash/account-opening.ts';
import { attributeUnnamed, isSuperseded } from '#engine/execution/reconciliation/attribute-fills.ts';
import type { ExecutionHold } from '#engine/execution/reconciliation/execution-hold.ts';
import { isTryDue, nextTry } from '#engine/execution/back-off.ts';
import { CANCEL_LOOKS, isCancelOverdue } from '#engine/execution/orders/cancel-checks.ts';
import { isBeingCancelled, isProtective } from '#engine/execution/orders/open-order.ts';
import type { OrderRecord } from '#engine/execution/orders/order-record.ts';
import {
  applyReport,
  ASK_ALONE,
  executionsFrom,
  indexReports,
  isAskedAlone,
  lacksExecutions,
  mustCancelReappeared,
  needsPositions,
  unexpectedlyWorking,
} from '#engine/execution/reconciliation/reconcile-orders.ts';
import { isOurId } from '#engine/execution/reconciliation/lost-order.ts';
import { listedAsBooked } from '#engine/execution/reconciliation/listed-as-booked.ts';
import { visibilityAfter } from '#engine/execution/orders/visibility.ts';
import { AT_BROKER } from '#engine/order/order-status.ts';
import type { BrokerExecution, BrokerOrder } from '#ports/broker.ts';
import { acknowledgePlace } from '#ports/tracing.ts';
import { wasRestored } from '#records/recovery/unsettled-connections.ts';
import { listHeldExecutions, noteExecution, receiveExecutions } from '#records/execution/broker-inbox.ts';
import { findOpening, noteInOpening } from '#records/cash/account-openings.ts';
import { provisionalSince } from '#records/execution/commissions.ts';
import { insertSuspenseEntry, knownExecutions, lastExecutionAt } from '#records/execution/fills.ts';
import { findOrder, findOrders, listOrders } from '#records/execution/orders.ts';
import type { HeldExecution } from '#engine/incidents/held-execution.ts';
import { knownCommission } from '#engine/execution/reconciliation/revise-commission.ts';
import { saveHeldExecutions } from '../incidents/save-held-executions.ts';
import { failingOrder } from '../incidents/failing-order.ts';
import { executionHold } from '#rules/reasons/execution-hold.ts';
import type { BrokerAccountId, BrokerConnectionId, ClientOrderId, Symbol } from '#units/identifiers.ts';
import type { Instant } from '#units/instant.ts';
import type { ActiveConnection } from '../connections/connection.ts';
import type { JoinedConnection } from '../connections/together.ts';
import { executionsKeptSince } from '../connections/broker-clock.ts';
import { noteStage } from '../chain.ts';
import { answered } from '../connections/broker-unavailable.ts';
import { changeOwnOrder } from '../execution/update-own-order.ts';
import { tradingCalendarOf } from '#engine/market/calendar-exceptions.ts';
import { orderFacts } from '../order-facts.ts';
import { noteProblem, type TradingContext } from '../trading-context.ts';
import { adoptLostOrders, withoutLost } from './adopt-lost-orders.ts';
import { attributeFills } from './attribute-fills.ts';
import { bookFills, type ReportedFill } from './book-fills.ts';
import { endOrder } from './end-order.ts';
import { readPositions } from './reconcile-positions.ts';
import { carryOutResolutions, reconcileUnlisted } from './resolve-in-flight.ts';
import { reviseCommissions } from './revise-commissions.ts';
import { judgeBooked } from './revised-executions.ts';
import { noteUnread } from './unread-rows.ts';

/** Throws when the broker does not answer: a failed list is not an empty list. */
export async function reconcile(context: TradingContext, active: JoinedConnection): Promise<void> {
  const { connection, session } = active;
  const open = await listOrders(context.database, { connection: connection.id, statuses: AT_BROKER });
  // Orders first: the execution behind a listed end is then in the list of executions that follows.
  const orders = answered('orders', await session.orders(connection.accountId));
  const reports = orders.value;
  const since = executionsFrom(open, {
    lastExecutionAt: (await lastExecutionAt(context.database, connection.id)) ?? context.now,
    readAt: active.known.executionsReadAt,
    provisionalSince: await provisionalSince(context.database, connection.id),
    keptSince: executionsKeptSince(context, active.broker),
    now: context.now,
  });
  const executions = answered('executions', await session.executions(connection.accountId, since));
  const before = bookedSoFar(context);
  await adoptLostOrders(context, active, { reports, executions: executions.value });
  await bookExecutions(context, active, executions.value, reports);
  active.known.executionsReadAt = context.now;
  await reviseCommissions(context, active, executions.value);
  await noteUnread(context, active, { lists: { orders: orders.unread, executions: executions.unread } });
  if (bookedSoFar(context) !== before || needsPositions(open, active.known.health, context.realNow()))
    await readPositions(context, active, await listListed(context, active, reports));
  await carryOutResolutions(context, active);
  await reconcileOpenOrders(context, active, { reports, since });
}

/** After booking: an execution that was just booked is not hidden any more. */
async function listListed(
  { database }: TradingContext,
  { connection }: ActiveConnection,
  reports: readonly BrokerOrder[],
): Promise<ReadonlySet<Symbol>> {
  const open = await listOrders(database, { connection: connection.id, statuses: AT_BROKER });
  return listedAsBooked(open, indexReports(reports));
}

function bookedSoFar({ report }: TradingContext): number {
  return report.fillsBooked + report.externalFills;
}

async function bookExecutions(
  context: TradingContext,
  active: JoinedConnection,
  executions: readonly BrokerExecution[],
  reports: readonly BrokerOrder[],
): Promise<void> {
  const { database } = context;
  const { id: connection, accountId: account } = active.connection;
  const inbox = { connection, account };
  const ids = executions.map(({ executionId }) => executionId);
  const known = await knownExecutions(database, account, ids);
  const unknown = executions.filter(({ executionId }) => !known.has(executionId));
  const named = new Map(reports.map((report) => [report.brokerOrderId, report.clientOrderId]));
  const nameOf = ({ clientOrderId, brokerOrderId }: BrokerExecution) =>
    clientOrderId ?? named.get(brokerOrderId) ?? null;
  const fresh = await withoutLost(context, active, unknown, nameOf);
  const own = await attributeFills(context, active, fresh, nameOf);
  await receiveExecutions(
    database,
    own.map((execution) => ({ ...inbox, execution })),
  );
  const waiting = await listHeldExecutions(database, inbox);
  await saveHeldExecutions(context, active, await bookWaiting(context, active, waiting, nameOf));
}

/** In their order: those of our orders together, up to one that is none's, or whose order only an earlier one names. */
async function bookWaiting(
  context: TradingContext,
  active: JoinedConnection,
  waiting: readonly BrokerExecution[],
  nameOf: (execution: BrokerExecution) => ClientOrderId | null,
): Promise<readonly HeldExecution[]> {
  const { database } = context;
  const { id: connection, accountId: account } = active.connection;
  const held: HeldExecution[] = [];
  const settle = async (
    { executionId: id, symbol }: BrokerExecution,
    decide: () => Promise<ExecutionHold | null>,
  ) => {
    try {
      const hold = await decide();
      await noteExecution(database, { connection, account }, { id, hold });
      if (hold === null) return;
      held.push({ id, symbol, hold });
      noteProblem(context, `execution ${id}`, new Error(`held: ${executionHold(hold)}`), null);
    } catch (error) {
      held.push({ id, symbol, hold: null });
      noteProblem(context, `execution ${id}`, error, null);
    }
  };
  const named = waiting.map((one) => ({ clientOrderId: nameOf(one), brokerOrderId: one.brokerOrderId }));
  const find = await findOrders(database, connection, named);
  const receivedWith = waiting.map(({ executionId }) => executionId);
  let fills: ReportedFill[] = [];
  const bookUntilHere = async () => {
    const results = await bookFills(context, active, { fills, isReceived: true });
    for (const [place, result] of results.entries()) {
      if (result === 'booked') context.report.fillsBooked += 1;
      if (typeof result === 'string') continue;
      await settle(fills[place]!.execution, async () => {
        if ('error' in result) throw result.error;
        return result.hold;
      });
    }
    fills = [];
  };
  for (const [place, execution] of waiting.entries()) {
    // Of several revisions that arrived together only the last one counts.
    if (isSuperseded(execution, receivedWith)) {
      await settle(execution, async () => null);
      continue;
    }
    const order = find(named[place]!);
    if (order !== undefined) {
      fills.push({ execution, order });
      continue;
    }
    await bookUntilHere();
    await settle(execution, () => bookOne(context, active, execution, nameOf(execution)));
  }
  await bookUntilHere();
  return held;
}

/** Why it is held; null when it was booked, now or before, or is superseded. */
async function bookOne(
  context: TradingContext,
  active: JoinedConnection,
  execution: BrokerExecution,
  clientOrderId: ClientOrderId | null,
): Promise<ExecutionHold | null> {
  const { database } = context;
  const { accountId, id } = active.connection;
  const { brokerOrderId } = execution;
  const order = await findOrder(database, { connection: id, clientOrderId, brokerOrderId });
  if (order !== undefined) {
    const [result] = await bookFills(context, active, { fills: [{ execution, order }], isReceived: true });
    if (result === 'booked') context.report.fillsBooked += 1;
    if (typeof result === 'string') return null;
    if ('error' in result!) throw result.error;
    return result!.hold;
  }
  if (isOurId(clientOrderId) && (await wasRestored(database))) return { code: 'order_lost' };
  const unconfirmed = await listOrders(database, { connection: id, statuses: ['sending', 'unknown'] });
  const revision = await judgeBooked(database, accountId, execution);
  const verdict = attributeUnnamed(execution, { clientOrderId, unconfirmed, revision });
  if (verdict.type === 'hold') return verdict.hold;
  if (verdict.type === 'book') await bookExternal(context, { accountId, id }, execution);
  return null;
}

async function bookExternal(
  context: TradingContext,
  { accountId, id: connection }: { readonly accountId: BrokerAccountId; readonly id: BrokerConnectionId },
  execution: BrokerExecution,
): Promise<void> {
  const opening = await findOpening(context.database, accountId);
  if (isBeforeOpening(execution, opening?.at ?? null)) {
    await noteInOpening(context.database, { id: accountId, connection }, execution.executionId);
    return;
  }
  const { executionId, symbol, brokerInstrumentId, side, quantity, price, at } = execution;
  const traded = { accountId, symbol: symbol ?? brokerInstrumentId, side, quantity, price, at };
  // One that was held may have left the list, and its commission with it.
  const commission = knownCommission(execution, context.now);
  const fill = { kind: 'external_trade', executionId, ...traded, commission } as const;
  if ((await insertSuspenseEntry(context.database, fill)) === 'repeated') return;
  context.report.externalFills += 1;
  context.logger.warn({ accountId, execution }, 'trader: an execution of no order of ours; kept in suspense');
}

type Looked = { readonly reports: readonly BrokerOrder[]; readonly since: Instant };

async function reconcileOpenOrders(
  context: TradingContext,
  active: ActiveConnection,
  { reports, since }: Looked,
): Promise<void> {
  const reportOf = indexReports(reports);
  const open = await listOrders(context.database, { connection: active.connection.id, statuses: AT_BROKER });
  for (const order of open) {
    try {
      const report = reportOf(order) ?? (await findUnlisted(context, active, order));
      // A row that cannot be read may be the order's: nothing is concluded from its absence.
      if (report === null && active.known.health.unsure.has(order.decided.symbol)) continue;
      const noted = await noteVisibility(context, order, report !== null);
      if (report === null) await reconcileUnlisted(context, active, noted, since);
      else await reconcileReported(context, active, noted, report);
    } catch (error) {
      noteProblem(context, `order ${order.decided.clientOrderId}`, error, failingOrder(order, 'reconciling'));
    }
  }
  if (open.some(isBeingCancelled)) await noteOverdueCancels(context, active);
  await cancelReappeared(context, active, unexpectedlyWorking(reports, open));
}

/** The protective stops that were asked to be cancelled, each by its own id: an exit waits for them. */
export async function confirmCancellations(context: TradingContext, active: ActiveConnection): Promise<void> {
  const working = await listOrders(context.database, {
    connection: active.connection.id,
    statuses: ['working'],
  });
  for (const order of working) {
    const { brokerOrderId } = order;
    if (!isProtective(order) || !isBeingCancelled(order) || brokerOrderId === null) continue;
    // No answer says nothing: the lists follow.
    const found = await active.session.findOrder?.(active.connection.accountId, brokerOrderId);
    if (found?.outcome === 'ok' && found.value !== null)
      await reconcileReported(context, active, order, found.value);
  }
}

/** What the looks should have shown as cancelled and did not becomes a task for staff. A tick counts as one look. */
async function noteOverdueCancels(context: TradingContext, { connection }: ActiveConnection): Promise<void> {
  const { database, report, speed, realNow } = context;
  const working = await listOrders(database, { connection: connection.id, statuses: ['working'] });
  for (const order of working) {
    if (order.reason?.code !== 'cancel_requested') continue;
    const isCounted = report.stillWorking.has(order.id) || order.cancelLooks >= CANCEL_LOOKS;
    const cancelLooks = order.cancelLooks + (isCounted ? 0 : 1);
    report.stillWorking.add(order.id);
    const isOverdue = isCancelOverdue({ ...order, cancelLooks }, { realNow: realNow(), speed });
    if (isCounted && !isOverdue) continue;
    const code = isOverdue ? 'cancel_not_confirmed' : 'cancel_requested';
    await changeOwnOrder(context, order, {
      status: 'working',
      reason: { code, parked: order.reason.parked },
      cancelLooks,
    });
    if (!isOverdue) continue;
    context.logger.warn(orderFacts(order), 'trader: the cancellation of an order is not confirmed');
  }
}

/** An order that no list shows is requested by its id where something waits for it; see isAskedAlone. */
async function findUnlisted(
  context: TradingContext,
  { connection, session, known }: ActiveConnection,
  order: OrderRecord,
): Promise<BrokerOrder | null> {
  const { id, brokerOrderId } = order;
  const now = context.realNow();
  const tries = known.askedAlone.get(id);
  if (brokerOrderId === null || session.findOrder === undefined || !isAskedAlone(order)) return null;
  if (!isTryDue(tries, now, ASK_ALONE)) return null;
  known.askedAlone.set(id, nextTry(tries, now));
  const found = await session.findOrder(connection.accountId, brokerOrderId);
  // An answer without the order says nothing, and spoils nothing that the lists have said.
  return found.outcome === 'ok' ? found.value : null;
}

/** Recorded at once: it must survive a restart. */
async function noteVisibility(
  context: TradingContext,
  order: OrderRecord,
  isListed: boolean,
): Promise<OrderRecord> {
  const visibility = visibilityAfter(order.visibility, isListed);
  const absentSince = isListed ? null : order.absentSince;
  if (visibility === order.visibility && absentSince === order.absentSince) return order;
  await changeOwnOrder(context, order, { status: order.status, visibility, absentSince });
  return { ...order, visibility, absentSince };
}

async function reconcileReported(
  context: TradingContext,
  { known }: ActiveConnection,
  order: OrderRecord,
  report: BrokerOrder,
): Promise<void> {
  const { now } = context;
  const calendar = tradingCalendarOf(order.decided.symbol, context);
  const transition = applyReport({ order, report, calendar, now });
  known.askedAlone.delete(order.id);
  const isMissing = lacksExecutions(order, report);
  if (transition.type === 'none') return;
  if (transition.type === 'end') {
    await endOrder(context, order, transition.reason);
    return;
  }
  if (isMissing)
    context.logger.warn({ ...orderFacts(order), report }, 'trader: executions of an order are missing');
  const { status, reason, brokerOrderId } = transition;
  const looked = context.realNow();
  await changeOwnOrder(context, order, { status, reason, brokerOrderId });
  // Its answer was lost, or whoever waited for it: the lists take its place.
  if (order.status !== 'working' && status === 'working')
    noteStage(context, acknowledgePlace(order, { outcome: status, by: 'lists' }), looked);
}

/** A stop that turns up after its quarantine has ended, and an order that only seemed to be refused, is cancelled. */
async function cancelReappeared(
  context: TradingContext,
  { connection, session }: ActiveConnection,
  working: readonly (BrokerOrder & { readonly clientOrderId: ClientOrderId })[],
): Promise<void> {
  for (const { clientOrderId, brokerOrderId } of working) {
    const key = { connection: connection.id, clientOrderId, brokerOrderId };
    const order = await findOrder(context.database, key);
    if (order === undefined || !mustCancelReappeared(order)) continue;
    context.logger.warn(orderFacts(order), 'trader: an order that had ended works at the broker; cancelled');
    const { outcome } = await session.cancelOrder(connection.accountId, brokerOrderId);
    // One that goes on working is an order at the broker that our records call ended.
    context.problemLog.note(failingOrder(order, 'cancelling'), `reappeared: ${outcome}`, context.realNow());
  }
}
