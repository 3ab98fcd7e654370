// Orders at the broker that are no longer wanted are cancelled: after a pause, a stop, a freeze, a
// newer target or a kill switch, or when they stand in the way of an exit.
// Asking is all that happens here; they are over when the broker says so.
import { listInTheWayOfExits } from '#records/account-orders.ts';
import { listHalted } from '#records/kill-switches.ts';
import { listOrders, type OrderRecord } from '#records/orders.ts';
import { loadTradingDeployments, type TradingDeployment } from '#records/trading-deployments.ts';
import { tradingPermission } from '#rules/deployments/status.ts';
import type { OrderId } from '#units/identifiers.ts';
import { type Instant, SECOND_MS } from '#units/instant.ts';
import { addsExposure } from './exposure.ts';
import type { Desk } from './desk.ts';
import { noteProblem, type TradingContext } from './trading-context.ts';

/** Remembers when each cancellation was asked for, on the real clock. */
export type Cancellations = Map<OrderId, Instant>;

/** Answers how many were asked for. */
export async function cancelUnwanted(
  context: TradingContext,
  { connection, session }: Desk,
  asked: Cancellations,
): Promise<number> {
  const working = await listOrders(context.database, { connection: connection.id, statuses: ['working'] });
  const ids = [...new Set(working.map(({ decided }) => decided.deploymentId))];
  const records = new Map(
    (await loadTradingDeployments(context.database, ids, 'unlocked')).map((record) => [record.id, record]),
  );
  const halted = await listHalted(context.database, ids);
  const inTheWay = await listInTheWayOfExits(context.database, connection.accountId);
  const isWanted = (order: OrderRecord, record: TradingDeployment) =>
    !isUnwanted(order, record, context) &&
    halted.get(record.id)?.cancelsWorking !== true &&
    !inTheWay.has(order.id);
  let count = 0;
  for (const order of working) {
    const record = records.get(order.decided.deploymentId);
    if (record === undefined || order.brokerOrderId === null || isWanted(order, record)) continue;
    const before = asked.get(order.id);
    if (before !== undefined && context.realNow() - before < ASK_AGAIN_MS) continue;
    asked.set(order.id, context.realNow());
    count += 1;
    const result = await session.cancelOrder(connection.accountId, order.brokerOrderId);
    if (result.outcome === 'unknown') {
      noteProblem(context, `cancelling ${order.decided.clientOrderId}`, new Error(result.reason));
    }
  }
  return count;
}

export function isUnwanted(order: OrderRecord, record: TradingDeployment, context: TradingContext): boolean {
  const { purpose, symbol } = order.decided;
  if (tradingPermission(record.status) === 'none' || record.wishedStatus === 'paused') return true;
  if (purpose !== 'rebalance') return false;
  if (record.status === 'stopping' || record.status === 'liquidating') return true;
  if (record.wishedStatus === 'stopped' || record.wishedStatus === 'liquidated') return true;
  const standing = context.standing.get(record.versionId);
  const last = standing?.lastRebalance;
  if (last && order.targetId !== null && order.decided.decidedAt < last.asOf) return true;
  return record.frozenAt !== null && addsExposure(order.decided, record.holdings.get(symbol)?.quantity ?? 0);
}

const ASK_AGAIN_MS = 15 * SECOND_MS;
