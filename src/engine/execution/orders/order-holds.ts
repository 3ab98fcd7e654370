// What an order with no other objection still waits for: other orders of its position and its account, and the quantity
// that it would close. Opposite orders of one account never meet in the market. A protective stop and any other order
// of its position are never at the broker together; the stop is checked last, so that it is cancelled only when nothing
// else holds the other order.
import { type Instant, SECOND_MS } from '#units/instant.ts';
import type { Quantity } from '#units/quantity.ts';
import {
  type AccountOrder,
  type AccountPosition,
  availableQuantity,
  closingQuantity,
  missingQuantity,
} from './available-quantity.ts';
import type { AccountRestriction } from '../connection/account-terms.ts';
import type { UnreadList } from '../reconciliation/unread-rows.ts';
import { isProtective, isUnresolved, type OpenOrder } from './open-order.ts';
import type { ExternalTrade, HoldReason, OrderReason } from './order-reason.ts';

export type HoldSnapshot = {
  readonly order: OpenOrder;
  /** All open orders of its deployment. */
  readonly openOrders: readonly OpenOrder[];
  /** Its deployment's position in the instrument, signed. */
  readonly held: number;
  /** Orders of the account for the instrument that are at the broker or may be. */
  readonly accountOrders: readonly AccountOrder[];
  /** In the instrument; null while the account's position is unknown. */
  readonly account: AccountPosition | null;
  /** Which of the broker's lists leave the instrument unsure; null when all of them could be read. */
  readonly unsure: ReadonlySet<UnreadList> | null;
  /** Whether the account has a fill there that the restored records cannot place. */
  readonly hasLostFill: boolean;
  /** External trades of the account's owner against the positions of deployments there. */
  readonly external: { readonly units: Quantity; readonly at: Instant | null } | null;
  /** Whether an exit of the account waits for nothing but orders on this one's side. */
  readonly isExitWaiting: boolean;
  /** Whether its broker takes no order while a stop is open on the other side, whatever their prices. */
  readonly keepsStopsApart: boolean;
  /** For a stop at such a broker: whether an order on the other side waits. The stop comes back after that. */
  readonly isOrderWaiting: boolean;
  /** Whether the exchange has halted trading in the instrument. */
  readonly isHalted: boolean;
  /** Why its broker would not take it from this account; null when it would. */
  readonly restriction: AccountRestriction | null;
  /** At a broker that keeps cover: whether it sells shares of a call that is being bought back. */
  readonly takesCover: boolean;
};

export type Hold = {
  readonly reason: HoldReason;
  /** The quantity of an exit that can be closed now: see resize. */
  readonly available?: Quantity;
};

/** Null when it may leave. */
export function findHold(snapshot: HoldSnapshot): Hold | null {
  const { order, openOrders, isHalted, restriction } = snapshot;
  if (restriction !== null) return { reason: { code: 'account_restricted', restriction } };
  // Before its stop is cancelled for it: sent in a halt, it would trade at whatever price the exchange opens again.
  if (isHalted && !isProtective(order)) return { reason: { code: 'trading_halted' } };
  if (snapshot.takesCover) return { reason: { code: 'call_first' } };
  const siblings = siblingsOf(order, openOrders);
  if (isProtective(order) && siblings.some(isAboutToLeave))
    return { reason: { code: 'position_order_first' } };
  const hold = accountHold(snapshot, siblings);
  if (hold !== null || isProtective(order)) return hold;
  const stop = siblings.find((one) => isProtective(one) && one.status !== 'intended');
  if (stop === undefined) return null;
  return { reason: { code: isUnresolved(stop) ? 'stop_not_confirmed' : 'stop_not_cancelled' } };
}

/** Whether an order is at the broker, or leaves as soon as its position has no stop there. */
export function isAboutToLeave({ status, reason }: Pick<OpenOrder, 'status' | 'reason'>): boolean {
  return status !== 'intended' || reason === null || awaitsStop(reason);
}

/** Whether it waits only until the stop of its position is gone. */
export function awaitsStop({ code }: OrderReason): boolean {
  return code === 'stop_not_cancelled' || code === 'stop_not_confirmed';
}

/** A missing quantity is checked again before an exit is resized: a recent booking may show late. */
export function isResizable(
  { reason }: Pick<OpenOrder, 'reason'>,
  hold: Hold,
): hold is Hold & { readonly available: Quantity } {
  return reason?.code === hold.reason.code && hold.available !== undefined && hold.available > 0;
}

/** Whether positions are too old to let an order leave: an end of day or a manual trade may have changed them. */
export function mustReadAgain(hold: Hold | null, readMsAgo: number): boolean {
  return hold?.reason.code === 'quantity_not_available' && readMsAgo > READ_AGAIN_MS;
}

const READ_AGAIN_MS = 5 * SECOND_MS;

/** The open orders of the same position. */
export function siblingsOf(
  { decided: { symbol, clientOrderId } }: OpenOrder,
  openOrders: readonly OpenOrder[],
): readonly OpenOrder[] {
  return openOrders.filter(
    ({ decided }) => decided.symbol === symbol && decided.clientOrderId !== clientOrderId,
  );
}

function accountHold(snapshot: HoldSnapshot, siblings: readonly OpenOrder[]): Hold | null {
  const { order, isExitWaiting, keepsStopsApart, isOrderWaiting } = snapshot;
  if (!isSurelySafe(snapshot)) return { reason: { code: 'instrument_unsure' } };
  if (snapshot.hasLostFill && !closes(snapshot)) return { reason: { code: 'order_lost' } };
  const staying = stayingOrders(snapshot, siblings);
  // First: an order that waits for a quantity makes no other order give way.
  const missing = quantityHold(snapshot, staying);
  if (missing !== null) return missing;
  const meets = staying.some((other) => couldTrade(order, other, { keepsStopsApart }));
  const givesWay = isProtective(order) && keepsStopsApart && isOrderWaiting;
  if (meets || givesWay) return { reason: { code: 'opposite_order' } };
  const comesSecond = order.decided.purpose === 'rebalance' && isExitWaiting;
  return comesSecond ? { reason: { code: 'exit_first' } } : null;
}

/**
 * Of an instrument that is unsure only what closes leaves, and only while the broker's list of positions can be read: it
 * is the last word on how much there is to close.
 */
function isSurelySafe(snapshot: HoldSnapshot): boolean {
  const { unsure } = snapshot;
  return unsure === null || (closes(snapshot) && !unsure.has('positions'));
}

function closes({ order, held }: HoldSnapshot): boolean {
  const { side, quantity } = order.decided;
  return (side === 'sell' ? held : -held) >= quantity;
}

/** The stop of its own position is gone before this order leaves. */
function stayingOrders(
  { accountOrders }: Pick<HoldSnapshot, 'accountOrders'>,
  siblings: readonly OpenOrder[],
): readonly AccountOrder[] {
  const own = new Set(siblings.filter(isProtective).map(({ id }) => id));
  return accountOrders.filter(({ id }) => !own.has(id));
}

/** Whether the broker's positions alone leave open that a quantity is missing, so that the books must be read too. */
export function mayLackQuantity(
  snapshot: Pick<HoldSnapshot, 'order' | 'openOrders' | 'held' | 'accountOrders'>,
  net: number,
): boolean {
  const { side } = snapshot.order.decided;
  const closing = closingQuantity(snapshot.order.decided, snapshot.held);
  if (closing <= 0) return false;
  const others = stayingOrders(snapshot, siblingsOf(snapshot.order, snapshot.openOrders));
  return missingQuantity({ side, closing, others }, { net, ...NOTHING_BESIDE }) > 0;
}

const NOTHING_BESIDE = { against: 0, shortfall: 0 };

function quantityHold(
  { order, held, account, external }: HoldSnapshot,
  others: readonly AccountOrder[],
): Hold | null {
  const { symbol, side, purpose } = order.decided;
  const closing = closingQuantity(order.decided, held);
  if (account === null || closing <= 0) return null;
  const missing = missingQuantity({ side, closing, others }, account);
  if (missing <= 0) return null;
  const isTheCause =
    external !== null && external.units < 0 === (side === 'sell') && Math.abs(external.units) >= missing;
  const trade: ExternalTrade | null = isTheCause ? { symbol, units: external.units, at: external.at } : null;
  const reason = { code: 'quantity_not_available', external: trade } as const;
  return purpose === 'rebalance' ? { reason } : { reason, available: availableQuantity(closing, missing) };
}

/**
 * Whether the two could trade with each other. A stop and a limit order can only where the limit is not reached before
 * the stop triggers: then the stop would trigger into that order. Two stops never trigger at one price. A broker that keeps
 * stops apart looks at no price of a stop.
 */
export function couldTrade(
  { decided }: Pick<OpenOrder, 'decided'>,
  other: AccountOrder,
  { keepsStopsApart }: Pick<HoldSnapshot, 'keepsStopsApart'>,
): boolean {
  if (decided.side === other.side) return false;
  const isStop = decided.purpose === 'protective';
  if (keepsStopsApart) return true;
  if (!isStop && !other.isProtective) return true;
  if (isStop && other.isProtective) return false;
  const [stop, limit] = isStop ? [decided, other] : [other, decided];
  return stop.side === 'sell' ? limit.limitPrice <= stop.limitPrice : limit.limitPrice >= stop.limitPrice;
}
