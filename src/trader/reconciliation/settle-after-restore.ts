// Ends the wait of a connection after a restore of the database: the broker's lists were read in full, further apart than they may
// lag, and the strategies have been evaluated up to now, so that every order whose decision can be found was found.
import { isOurId } from '#engine/execution/reconciliation/lost-order.ts';
import { findUnsettledSince, settleConnection } from '#records/recovery/unsettled-connections.ts';
import { findKnownOrders } from '#records/execution/lost-orders.ts';
import { MINUTE_MS } from '#units/instant.ts';
import { msBetween } from '#units/wall-instant.ts';
import { brokerNow } from '../connections/broker-clock.ts';
import { answered } from '../connections/broker-unavailable.ts';
import type { ActiveConnection } from '../connections/connection.ts';
import type { TradingContext } from '../trading-context.ts';

export async function settleAfterRestore(context: TradingContext, active: ActiveConnection): Promise<void> {
  const { connection, broker, known } = active;
  const { reconciledSince } = known.health;
  if (reconciledSince === null || context.targetCache.catchingUp.size > 0) return;
  if (msBetween(reconciledSince, brokerNow(context, broker)) <= broker.limits.listLagMs) return;
  const isPatient = await cancelOwnerless(context, active);
  if (isPatient) return;
  const at = context.realNow();
  await context.database.transaction().execute(async (trx) => {
    await context.lease.fence(trx, [connection.id]);
    await settleConnection(trx, connection.id, at);
  });
}

/**
 * An order that works there and that no deployment made: one that began after the restored moment. Whether one is still there, or
 * may yet be explained by an evaluation that is late.
 */
async function cancelOwnerless(
  context: TradingContext,
  { connection, session }: ActiveConnection,
): Promise<boolean> {
  const reports = answered('orders', await session.orders(connection.accountId)).value;
  const working = reports.filter(({ status }) => status === 'working' || status === 'attention');
  const known = await findKnownOrders(
    context.database,
    working.map(({ clientOrderId }) => clientOrderId).filter(isOurId),
  );
  const ownerless = working.filter(
    ({ clientOrderId }) => isOurId(clientOrderId) && !known.has(clientOrderId),
  );
  if (ownerless.length === 0) return false;
  const since = await findUnsettledSince(context.database, connection.id);
  if (since !== null && msBetween(since, context.realNow()) < PATIENCE_MS) return true;
  for (const { brokerOrderId, clientOrderId } of ownerless) {
    context.logger.warn(
      { clientOrderId },
      'trader: an order from after the restored moment is nobody’s; cancelled',
    );
    await session.cancelOrder(connection.accountId, brokerOrderId);
  }
  return true;
}

const PATIENCE_MS = MINUTE_MS;
