// Cancels orders at the broker that are no longer wanted: after a pause, a stop, a freeze, a newer target or a kill
// switch, or when they block an exit; a protective stop when its position has changed, or when it alone blocks another
// order of the position.
// Only the request happens here; an order ends when the broker says so.
import {
  type CancelSnapshot,
  isCancelDue,
  mustCancel,
  STOP_WAITS_MS,
} from '#engine/execution/orders/cancel-checks.ts';
import { dayOrderEndsAt } from '#engine/execution/orders/day-order.ts';
import { nextTry } from '#engine/execution/back-off.ts';
import { isBeingCancelled, isProtective } from '#engine/execution/orders/open-order.ts';
import type { OrderRecord } from '#engine/execution/orders/order-record.ts';
import { wantedStop } from '#engine/execution/stops/protective-stops.ts';
import {
  listInTheWayOfExits,
  listStopsInTheWayAcross,
  listStopsKeptWaiting,
} from '#records/execution/account-orders.ts';
import { listHalted } from '#records/operations/kill-switches.ts';
import { listOrders } from '#records/execution/orders.ts';
import { listStopsInTheWay, listUnsigned } from '#records/execution/protective-orders.ts';
import { loadTradingDeployments } from '#records/deployments/trading-deployments.ts';
import { changeOwnOrder } from './update-own-order.ts';
import type { ActiveConnection } from '../connections/connection.ts';
import { stopTerms } from './stop-terms.ts';
import { findOversizedStops } from './oversized-stops.ts';
import { failingOrder } from '../incidents/failing-order.ts';
import { noteProblem, type TradingContext } from '../trading-context.ts';
import type { OrderId } from '#units/identifiers.ts';
import type { Instant } from '#units/instant.ts';

type AskedFor = {
  readonly asked: number;
  /** How many of them are protective stops. */
  readonly stops: number;
};

/** Returns how many cancels were requested. */
export async function cancelUnwanted(context: TradingContext, active: ActiveConnection): Promise<AskedFor> {
  const { connection, session } = active;
  const working = await listOrders(context.database, { connection: connection.id, statuses: ['working'] });
  if (working.length === 0) return { asked: 0, stops: 0 };
  const unwanted = new Set(
    (await loadCancelChecks(context, active, working)).filter(mustCancel).map(({ order }) => order.id),
  );
  const done = { asked: 0, stops: 0 };
  for (const order of working) {
    const realNow = context.realNow();
    if (!isCancelDue(order, unwanted, realNow)) continue;
    done.asked += 1;
    if (isProtective(order)) done.stops += 1;
    // Before the request: from now on the order may end at any moment, and a restart must not ask again at once.
    const reason = isBeingCancelled(order)
      ? order.reason
      : ({ code: 'cancel_requested', parked: null } as const);
    const cancelTries = nextTry(order.cancelTries ?? undefined, realNow);
    await changeOwnOrder(context, order, { status: 'working', reason, cancelTries });
    const result = await session.cancelOrder(connection.accountId, order.brokerOrderId);
    if (result.outcome === 'unknown') {
      const about = failingOrder(order, 'cancelling');
      noteProblem(context, `cancelling ${order.decided.clientOrderId}`, new Error(result.reason), about);
    }
  }
  return done;
}

async function loadCancelChecks(
  context: TradingContext,
  active: ActiveConnection,
  working: readonly OrderRecord[],
): Promise<readonly CancelSnapshot[]> {
  const { database, targetCache } = context;
  const { id: connection, accountId } = active.connection;
  const ids = [...new Set(working.map(({ decided }) => decided.deploymentId))];
  const records = new Map(
    (await loadTradingDeployments(database, ids, 'unlocked')).map((record) => [record.id, record]),
  );
  const halted = await listHalted(database, ids);
  const blockingExits = await listInTheWayOfExits(database, accountId);
  const hasStops = working.some(isProtective);
  const blockingPositions = new Set<OrderId>(hasStops ? await listStopsInTheWay(database, connection) : []);
  if (hasStops) for (const id of await stopsAcross(context, active)) blockingPositions.add(id);
  const keepingStops = await keptFrom(context, active);
  const unsigned = hasStops ? await listUnsigned(database, ids) : new Set();
  const oversized = hasStops ? await findOversizedStops(context, active) : new Set();
  const terms = stopTerms(context, active.broker);
  return working.flatMap((order) => {
    const record = records.get(order.decided.deploymentId);
    if (record === undefined) return [];
    return {
      order,
      deployment: record,
      halt: halted.get(record.id) ?? null,
      agreementSigned: !unsigned.has(record.id),
      rebalancedAt: targetCache.latest.get(record.versionId)?.lastRebalance?.asOf ?? null,
      blocksExit: blockingExits.has(order.id),
      keepsStopWaiting: keepingStops.has(order.id),
      isDayOver: isKeptBeyondItsDay(context, active, order),
      blocksPosition: blockingPositions.has(order.id),
      isOversized: oversized.has(order.id),
      isResetNear: terms.isResetNear,
      wantedStop: isProtective(order) ? wantedStop(record, order.decided.symbol, terms) : null,
    };
  });
}

function isKeptBeyondItsDay(
  { instruments, now }: TradingContext,
  { broker }: ActiveConnection,
  { sentAt, decided: { symbol, decidedAt } }: OrderRecord,
): boolean {
  const instrument = instruments.get(symbol);
  if (instrument === undefined || broker.limits.keepsOrders?.includes(instrument.kind) !== true) return false;
  return now >= dayOrderEndsAt(instrument.calendar, sentAt ?? decidedAt);
}

/** Stops that orders on the other side of the account wait for, where the broker keeps them apart. */
async function stopsAcross(
  { database }: TradingContext,
  { broker, connection }: ActiveConnection,
): Promise<readonly OrderId[]> {
  if (broker.limits.keepsStopsApart !== true) return [];
  const found = await listStopsInTheWayAcross(database, connection.accountId);
  const halted = await listHalted(database, [...new Set(found.map(({ waiting }) => waiting))]);
  return found.filter(({ waiting }) => !halted.has(waiting)).map(({ id }) => id);
}

async function keptFrom(
  { database, now }: TradingContext,
  { broker, connection }: ActiveConnection,
): Promise<ReadonlySet<OrderId>> {
  if (broker.limits.keepsStopsApart !== true) return new Set();
  return listStopsKeptWaiting(database, connection.accountId, (now - STOP_WAITS_MS) as Instant);
}
