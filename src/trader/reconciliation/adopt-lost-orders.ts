// After a restore of the database: takes orders that the broker has under one of our ids into the records again. What was decided
// follows from the id; what was sent, from the broker. None is sent again: it is an order of unknown fate, as after a crash.
import { findDecision, isOurId } from '#engine/execution/reconciliation/lost-order.ts';
import { restoreApprovedOrder } from '#engine/order/approved-order.ts';
import type { OrderCause } from '#engine/order/client-order-id.ts';
import type { BrokerExecution, BrokerOrder } from '#ports/broker.ts';
import { findKnownOrders, listSuspects, noteFollowed } from '#records/execution/lost-orders.ts';
import { changeOrder, insertOrders } from '#records/execution/orders.ts';
import type { ClientOrderId, OrderId, Symbol, TargetId } from '#units/identifiers.ts';
import type { Instant } from '#units/instant.ts';
import { quantity, type Quantity } from '#units/quantity.ts';
import type { Side } from '#engine/order/order.ts';
import type { ActiveConnection } from '../connections/connection.ts';
import { orderFacts } from '../order-facts.ts';
import type { TradingContext } from '../trading-context.ts';

type Listed = { readonly reports: readonly BrokerOrder[]; readonly executions: readonly BrokerExecution[] };

/** An order of ours as the broker shows it. */
type ShownOrder = {
  readonly id: ClientOrderId;
  readonly symbol: Symbol;
  readonly side: Side;
  readonly quantity: Quantity;
  readonly price: number;
  /** Of its first fill; null without one. */
  readonly at: Instant | null;
};

export async function adoptLostOrders(
  context: TradingContext,
  { connection }: ActiveConnection,
  listed: Listed,
): Promise<void> {
  if (!connection.isUnsettled) return;
  const shown = shownOrders(listed);
  const { database, lease, now } = context;
  const known = await findKnownOrders(
    database,
    shown.map(({ id }) => id),
  );
  const unsent = shown.flatMap(({ id }) => {
    const order = known.get(id);
    return order?.status === 'intended' || order?.status === 'withdrawn' ? [order.id] : [];
  });
  const lost = shown.filter(({ id }) => !known.has(id));
  if (unsent.length === 0 && lost.length === 0) return;
  const suspects = lost.length === 0 ? [] : await listSuspects(database, connection.id);
  await database.transaction().execute(async (trx) => {
    await lease.fence(trx, [connection.id]);
    for (const id of unsent) await changeOrder(trx, id, { ...UNCONFIRMED, sentAt: now });
    for (const order of lost) {
      const decision = findDecision(order, suspects);
      if (decision === null) continue;
      const id = context.newId() as OrderId;
      const at = order.at ?? now;
      const limit = suspects.find(({ deploymentId }) => deploymentId === decision.deploymentId);
      const byStop = decision.purpose === 'stop_loss' || decision.purpose === 'protective';
      const approved = approvedThen(order, decision, at);
      const targetId = decision.purpose === 'rebalance' ? (decision.cause as TargetId) : null;
      await insertOrders(trx, [
        {
          id,
          connectionId: connection.id,
          targetId,
          order: approved,
          pricedAt: decision.purpose === 'protective' ? null : at,
          stopLossPercentage: byStop ? (limit?.stopLossPercentage ?? null) : null,
        },
      ]);
      await changeOrder(trx, id, { ...UNCONFIRMED, sentAt: at });
      if (decision.purpose === 'rebalance')
        await noteFollowed(trx, decision.deploymentId, decision.cause as TargetId);
      context.logger.warn(
        orderFacts({ id, targetId, decided: approved }),
        'trader: an order from after the restored moment is back',
      );
    }
  });
}

const UNCONFIRMED = { status: 'unknown', reason: { code: 'no_answer' } } as const;

/** It was approved when it was sent. */
function approvedThen(
  { id, symbol, side, quantity: units, price }: ShownOrder,
  decision: OrderCause,
  at: Instant,
) {
  return restoreApprovedOrder({
    ...decision,
    clientOrderId: id,
    symbol,
    side,
    quantity: units,
    limitPrice: price,
    referencePrice: price,
    decidedAt: at,
  });
}

/** One for each id: as listed among the orders, or else made of its executions. */
function shownOrders({ reports, executions }: Listed): readonly ShownOrder[] {
  const named = new Map(reports.map((report) => [report.brokerOrderId, report.clientOrderId]));
  const fills = Map.groupBy(executions, (one) => one.clientOrderId ?? named.get(one.brokerOrderId) ?? null);
  const listed = reports.flatMap(
    ({ clientOrderId: id, symbol, side, quantity: units, filled, ...report }) => {
      if (!isOurId(id) || symbol === null || (filled === 0 && ENDED.has(report.status))) return [];
      const [first] = fills.get(id) ?? [];
      const price = report.limitPrice ?? report.stopPrice ?? first?.price ?? null;
      return price === null ? [] : [{ id, symbol, side, quantity: units, price, at: first?.at ?? null }];
    },
  );
  const seen = new Set(listed.map(({ id }) => id));
  const rest = [...fills].flatMap(([id, ofOrder]) => {
    const [first] = ofOrder;
    if (!isOurId(id) || seen.has(id) || first === undefined || first.symbol === null) return [];
    const { symbol, side, price, at } = first;
    const units = ofOrder.reduce((sum, one) => sum + one.quantity, 0);
    return units > 0 ? [{ id, symbol, side, quantity: quantity(units), price, at }] : [];
  });
  return [...listed, ...rest];
}

/** Without a fill it changed nothing. */
const ENDED: ReadonlySet<BrokerOrder['status']> = new Set(['cancelled', 'expired', 'rejected']);

/** Until every connection of the account has looked, it is open whose a lost order was. */
export async function withoutLost(
  { database }: TradingContext,
  { connection }: ActiveConnection,
  executions: readonly BrokerExecution[],
  nameOf: (execution: BrokerExecution) => ClientOrderId | null,
): Promise<readonly BrokerExecution[]> {
  if (!connection.isUnsettled) return executions;
  const ids = executions.map(nameOf).filter(isOurId);
  const known = await findKnownOrders(database, ids);
  return executions.filter((one) => {
    const id = nameOf(one);
    return !isOurId(id) || known.has(id);
  });
}
