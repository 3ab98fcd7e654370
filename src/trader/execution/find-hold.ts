// What an order waits for at the moment of sending: orders that it must not meet, and holdings that must be there.
import type { HoldReason } from '#engine/execution/order-reason.ts';
import {
  type AtBroker,
  heldAgainst,
  isExitInLine,
  listOrdersAtBroker,
  lockAccountOrders,
} from '#records/execution/account-orders.ts';
import type { Transaction } from '#records/postgres/database.ts';
import type { OrderRecord } from '#records/execution/orders.ts';
import { SECOND_MS } from '#units/instant.ts';
import { type Quantity, quantity } from '#units/quantity.ts';
import { findAccountBook } from '../reconciliation/account-books.ts';
import type { ActiveConnection } from '../connections/connection.ts';
import type { DeploymentSnapshot } from '../rebalance/deployment-snapshot.ts';
import type { TradingContext } from '../trading-context.ts';

export type Wait = {
  readonly reason: HoldReason;
  /** Of what an exit would close as much is there all the same. */
  readonly there?: Quantity;
};

/**
 * Opposite orders of one account never meet in the market: one waits for the other. And what the broker does not show as
 * held is not sold, whoever sold it. A protective stop and any other order of its position are never at the broker
 * together; the stop is asked about last, so that it goes when nothing else holds the other order up.
 */
export async function findHold(
  trx: Transaction,
  context: TradingContext,
  active: ActiveConnection,
  waiting: Waiting,
): Promise<Wait | null> {
  await lockAccountOrders(trx, active.connection.accountId);
  const { decided } = waiting.order;
  const isProtective = decided.purpose === 'protective';
  if (isProtective && isOvertaken(waiting)) return { reason: { code: 'position_order_first' } };
  const others = await listOrdersAtBroker(trx, active.connection.accountId, decided.symbol);
  const foreign = await waitsForOthers(trx, context, active, { ...waiting, others });
  if (foreign !== null || isProtective || !isStopped(waiting)) return foreign;
  return { reason: { code: 'stop_not_cancelled' } };
}

type Waiting = { readonly order: OrderRecord; readonly snapshot: DeploymentSnapshot };

/** Whether another order of the position is at the broker, or leaves as soon as nothing rests. */
function isOvertaken({ order, snapshot }: Waiting): boolean {
  return othersOf(order, snapshot).some(mayLeaveNow);
}

/** Whether an order may be at the broker in a moment: one that is held up by something else is not. */
export function mayLeaveNow({ status, reason }: OrderRecord): boolean {
  return status !== 'intended' || reason === null || reason.code === 'stop_not_cancelled';
}

/** Whether a stop of the position may be at the broker. */
function isStopped({ order, snapshot }: Waiting): boolean {
  return othersOf(order, snapshot).some(
    ({ status, decided: { purpose } }) => purpose === 'protective' && status !== 'intended',
  );
}

function othersOf({ decided }: OrderRecord, { openOrders }: DeploymentSnapshot): readonly OrderRecord[] {
  const { symbol, clientOrderId } = decided;
  return openOrders.filter(
    (other) => other.decided.symbol === symbol && other.decided.clientOrderId !== clientOrderId,
  );
}

async function waitsForOthers(
  trx: Transaction,
  context: TradingContext,
  active: ActiveConnection,
  { order, snapshot, others }: Waiting & { readonly others: readonly AtBroker[] },
): Promise<Wait | null> {
  const { symbol, side, purpose } = order.decided;
  const { accountId: account } = active.connection;
  // The stop of its own position is gone before it leaves.
  const own = new Set(othersOf(order, snapshot).flatMap((one) => (isResting(one) ? [one.id] : [])));
  const staying = others.filter(({ id }) => !own.has(id));
  // First: what waits for shares asks nothing else to make way.
  const lacks = await lacksShares(trx, context, active, { order, snapshot, staying });
  if (lacks !== null) return lacks;
  if (staying.some((other) => meets(order, other))) return { reason: { code: 'opposite_order' } };
  if (purpose === 'rebalance' && (await isExitInLine(trx, { account, symbol, side })))
    return { reason: { code: 'exit_first' } };
  return null;
}

async function lacksShares(
  trx: Transaction,
  { realNow }: TradingContext,
  { connection, health }: ActiveConnection,
  { order, snapshot, staying }: Waiting & { readonly staying: readonly AtBroker[] },
): Promise<Wait | null> {
  const { symbol, side, purpose } = order.decided;
  const account = connection.accountId;
  const closing = closingOf(order, snapshot);
  if (health.held === null || closing <= 0) return null;
  const leaving = staying.reduce((sum, other) => sum + (other.side === side ? other.closing : 0), closing);
  const net = health.held.get(symbol) ?? 0;
  const there = side === 'sell' ? net : -net;
  if (there >= leaving) return null;
  const against = await heldAgainst(trx, { account, symbol, side });
  if (there + against >= leaving) return null;
  const books = await findAccountBook(trx, account, symbol);
  const shortfall = side === 'sell' ? (books?.shortfall ?? 0) : 0;
  const lacking = leaving - there - against - shortfall;
  if (lacking <= 0) return null;
  // What is held may have changed since it was read: an end of day, a trade by hand.
  if (realNow() - health.heldAt > READ_AGAIN_MS) health.heldAt = 0;
  const byHand = books?.byHand ?? null;
  const isTheCause =
    byHand !== null && byHand.units < 0 === (side === 'sell') && Math.abs(byHand.units) >= lacking;
  const external = isTheCause ? { symbol, units: byHand.units, at: byHand.at } : null;
  const reason = { code: 'quantity_not_available', external } as const;
  return purpose === 'rebalance' ? { reason } : { reason, there: quantity(Math.max(0, closing - lacking)) };
}

function isResting({ decided }: OrderRecord): boolean {
  return decided.purpose === 'protective';
}

/**
 * Whether the two could trade with each other. Of a stop and an order with a limit only where the limit is not reached
 * before the stop is let go: then it would be let go into that order. Two stops are never let go at one price.
 */
function meets({ decided }: OrderRecord, other: AtBroker): boolean {
  if (decided.side === other.side) return false;
  const isProtective = decided.purpose === 'protective';
  if (!isProtective && !other.isProtective) return true;
  if (isProtective && other.isProtective) return false;
  const [stop, limit] = isProtective ? [decided, other] : [other, decided];
  return stop.side === 'sell' ? limit.limitPrice <= stop.limitPrice : limit.limitPrice >= stop.limitPrice;
}

/** How much of its position it closes; a rebalance may go on beyond it, or only open one. */
function closingOf(
  { decided: { purpose, symbol, side, quantity } }: OrderRecord,
  { record }: DeploymentSnapshot,
): number {
  if (purpose !== 'rebalance') return quantity;
  const held = record.holdings.get(symbol)?.quantity ?? 0;
  return Math.min(quantity, side === 'sell' ? held : -held);
}

const READ_AGAIN_MS = 5 * SECOND_MS;
