// Orders at the broker that are no longer wanted are cancelled: after a pause, a stop, a freeze, a
// newer target or a kill switch, or when they stand in the way of an exit; a protective stop when its position has
// changed, or when nothing else is in the way of another order of it.
// Asking is all that happens here; they are over when the broker says so.
import { closesTooMuch } from '#engine/risk/protective-stop.ts';
import { listInTheWayOfExits } from '#records/execution/account-orders.ts';
import { listHalted } from '#records/operations/kill-switches.ts';
import { listOrders, type OrderRecord } from '#records/execution/orders.ts';
import { listStopsInTheWay, listUnsigned } from '#records/execution/protective-orders.ts';
import { loadTradingDeployments, type TradingDeployment } from '#records/deployments/trading-deployments.ts';
import { AGREEMENT_VERSION } from '#rules/provider.ts';
import { effectivePermission, isClosing } from '#engine/lifecycle/effective-status.ts';
import type { OrderId } from '#units/identifiers.ts';
import { type Instant, SECOND_MS } from '#units/instant.ts';
import { changeOwnOrder } from './update-own-order.ts';
import { addsExposure } from './exposure.ts';
import type { ActiveConnection } from '../connections/connection.ts';
import { fits, wantedStop } from './protective-stops.ts';
import { findOversizedStops } from './oversized-stops.ts';
import { noteProblem, type TradingContext } from '../trading-context.ts';

/** Remembers when each cancellation was asked for, on the real clock. */
export type Cancellations = Map<OrderId, Instant>;

type AskedFor = {
  readonly asked: number;
  /** How many of them rest to protect a position. */
  readonly stops: number;
};

/** Answers how many were asked for. */
export async function cancelUnwanted(
  context: TradingContext,
  active: ActiveConnection,
  asked: Cancellations,
): Promise<AskedFor> {
  const { connection, session } = active;
  const working = await listOrders(context.database, { connection: connection.id, statuses: ['working'] });
  const isWanted = await wantedAmong(context, active, working);
  const done = { asked: 0, stops: 0 };
  for (const order of working) {
    if (order.brokerOrderId === null || isWanted(order)) continue;
    const before = asked.get(order.id);
    if (before !== undefined && context.realNow() - before < ASK_AGAIN_MS) continue;
    asked.set(order.id, context.realNow());
    done.asked += 1;
    if (isProtective(order)) {
      done.stops += 1;
      // From then on it is looked at like every order that may end at any moment.
      const reason = { code: 'cancel_requested', parked: null } as const;
      await changeOwnOrder(context, order, { status: 'working', reason });
    }
    const result = await session.cancelOrder(connection.accountId, order.brokerOrderId);
    if (result.outcome === 'unknown') {
      noteProblem(context, `cancelling ${order.decided.clientOrderId}`, new Error(result.reason));
    }
  }
  return done;
}

async function wantedAmong(
  context: TradingContext,
  active: ActiveConnection,
  working: readonly OrderRecord[],
): Promise<(order: OrderRecord) => boolean> {
  const { connection } = active;
  const ids = [...new Set(working.map(({ decided }) => decided.deploymentId))];
  const records = new Map(
    (await loadTradingDeployments(context.database, ids, 'unlocked')).map((record) => [record.id, record]),
  );
  const halted = await listHalted(context.database, ids);
  const inTheWay = await listInTheWayOfExits(context.database, connection.accountId);
  const hasStops = working.some(isProtective);
  const stopsInTheWay = hasStops ? await listStopsInTheWay(context.database, connection.id) : new Set();
  const unsigned = hasStops ? await listUnsigned(context.database, ids, AGREEMENT_VERSION) : new Set();
  const beyond = hasStops ? await findOversizedStops(context, active) : new Set();
  return (order) => {
    const record = records.get(order.decided.deploymentId);
    if (record === undefined) return true;
    const halt = halted.get(record.id);
    if (halt?.cancelsWorking === true) return false;
    if (!isProtective(order)) return !isUnwanted(order, record, context) && !inTheWay.has(order.id);
    if (order.reason?.code === 'cancel_requested' || beyond.has(order.id)) return false;
    const mayBeReplaced =
      halt === undefined && !unsigned.has(record.id) && effectivePermission(record) !== 'none';
    if (mayBeReplaced && (stopsInTheWay.has(order.id) || inTheWay.has(order.id))) return false;
    return !isStopUnwanted(order, record, context, mayBeReplaced);
  };
}

function isProtective({ decided }: OrderRecord): boolean {
  return decided.purpose === 'protective';
}

/**
 * What could close more than there is goes at once. What is only too small or at an older price stays while nothing can
 * be sent in its place: some protection is better than none.
 */
function isStopUnwanted(
  order: OrderRecord,
  record: TradingDeployment,
  context: TradingContext,
  mayBeReplaced: boolean,
): boolean {
  const stop = wantedStop(record, order.decided.symbol, context);
  if (stop === null) return true;
  const { side, quantity, limitPrice: price } = order.decided;
  if (closesTooMuch({ side, remaining: quantity - order.filled, price }, stop)) return true;
  return mayBeReplaced && !fits(order, stop);
}

export function isUnwanted(order: OrderRecord, record: TradingDeployment, context: TradingContext): boolean {
  const { purpose, symbol } = order.decided;
  if (effectivePermission(record) === 'none') return true;
  if (purpose !== 'rebalance') return false;
  if (isClosing(record)) return true;
  const last = context.latestTargets.get(record.versionId)?.lastRebalance;
  if (last && order.targetId !== null && order.decided.decidedAt < last.asOf) return true;
  return record.frozenAt !== null && addsExposure(order.decided, record.holdings.get(symbol)?.quantity ?? 0);
}

const ASK_AGAIN_MS = 15 * SECOND_MS;
