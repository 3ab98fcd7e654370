// What an order waits for at the moment of sending: orders that it must not meet, and holdings that must be there.
import {
  heldAgainst,
  isExitInLine,
  listOrdersAtBroker,
  lockAccountOrders,
  OPPOSITE_UNDER_WAY,
} from '#records/account-orders.ts';
import type { Transaction } from '#records/database.ts';
import type { OrderRecord } from '#records/orders.ts';
import { SECOND_MS } from '#units/instant.ts';
import type { Desk } from './desk.ts';
import type { Standing } from './standing.ts';
import type { TradingContext } from './trading-context.ts';

/**
 * A protective stop and any other order of its position are never at the broker together: whichever comes second waits
 * until the broker has confirmed the end of the first.
 */
function waitsForOwn({ decided }: OrderRecord, { openOrders }: Standing): string | null {
  const isProtective = decided.purpose === 'protective';
  const others = openOrders.filter(
    (other) =>
      other.decided.symbol === decided.symbol && other.decided.clientOrderId !== decided.clientOrderId,
  );
  if (isProtective) return others.length > 0 ? 'It waits: another order of its position comes first.' : null;
  const rests = others.some(
    ({ status, decided: { purpose } }) => purpose === 'protective' && status !== 'intended',
  );
  return rests
    ? 'It waits until your broker confirms that the protective stop of its position is cancelled.'
    : null;
}

/**
 * Opposite orders of one account never meet in the market: one waits for the other. And what the broker does not show as
 * held is not sold, whoever sold it.
 */
export async function whyItWaits(
  trx: Transaction,
  { realNow }: TradingContext,
  { connection, guard }: Desk,
  { order, standing }: { readonly order: OrderRecord; readonly standing: Standing },
): Promise<string | null> {
  const { decided } = order;
  const { symbol, side, purpose } = decided;
  await lockAccountOrders(trx, connection.accountId);
  const own = waitsForOwn(order, standing);
  if (own !== null) return own;
  const others = await listOrdersAtBroker(trx, connection.accountId, symbol);
  // What rests far from the market meets nobody; what is marketable has filled before the price gets there.
  const isMet = (other: (typeof others)[number]) => other.side !== side && !other.isProtective;
  if (purpose !== 'protective' && others.some(isMet)) return OPPOSITE_UNDER_WAY;
  if (purpose === 'rebalance' && (await isExitInLine(trx, { account: connection.accountId, symbol, side })))
    return 'It waits: an exit of the same account comes first.';
  const closing = closingOf(order, standing);
  if (guard.held === null || closing <= 0) return null;
  const leaving = others.reduce((sum, other) => sum + (other.side === side ? other.closing : 0), closing);
  const net = guard.held.get(symbol) ?? 0;
  const there = side === 'sell' ? net : -net;
  if (there >= leaving) return null;
  const isThere =
    there + (await heldAgainst(trx, { account: connection.accountId, symbol, side })) >= leaving;
  if (isThere) return null;
  // What is held may have changed since it was read: a night, a trade by hand.
  if (realNow() - guard.heldAt > READ_AGAIN_MS) guard.heldAt = 0;
  return 'It waits: the broker does not show what it would close. Was it traded by hand? Our support has been told.';
}

/** How much of its position it closes; a rebalance may go on beyond it, or only open one. */
function closingOf(
  { decided: { purpose, symbol, side, quantity } }: OrderRecord,
  { record }: Standing,
): number {
  if (purpose !== 'rebalance') return quantity;
  const held = record.holdings.get(symbol)?.quantity ?? 0;
  return Math.min(quantity, side === 'sell' ? held : -held);
}

const READ_AGAIN_MS = 5 * SECOND_MS;
