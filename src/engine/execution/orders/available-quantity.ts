// How much of the quantity that an order would close the account has: the reduce-only limit. Several deployments trade
// one account: what others are about to close is not available; what others hold on the opposite side is.
import { type Quantity, quantity } from '#units/quantity.ts';
import type { OrderId } from '#units/identifiers.ts';
import type { RecordedOrder } from '../../order/approved-order.ts';
import type { Side } from '../../order/order.ts';

/** An order of any deployment of the account, for one instrument, that is at the broker or may be. */
export type AccountOrder = {
  readonly id: OrderId;
  readonly isProtective: boolean;
  readonly side: Side;
  /** For a stop, its trigger price. */
  readonly limitPrice: number;
  /** What it can still take from a position of its deployment; an opening order takes nothing. */
  readonly closing: Quantity;
};

export type AccountPosition = {
  /** Signed, as the broker reports it. */
  readonly net: number;
  /** Opposite positions of deployments: the account shows the net of both. */
  readonly against: number;
  /** Treated as available though the account does not show it: purchases that were sold before a broker took them back. */
  readonly shortfall: number;
};

/** How much of its position an order closes; a rebalance may continue beyond it, or only open one. */
export function closingQuantity(
  { purpose, side, quantity: ordered }: Pick<RecordedOrder, 'purpose' | 'side' | 'quantity'>,
  held: number,
): number {
  if (purpose !== 'rebalance') return ordered;
  return Math.min(ordered, side === 'sell' ? held : -held);
}

export type Closing = {
  readonly side: Side;
  /** What this order would close. */
  readonly closing: number;
  /** The other orders that may be at the broker, without its own protective stop, which gives way. */
  readonly others: readonly Pick<AccountOrder, 'side' | 'closing'>[];
};

/** How much is missing for all orders that leave on this side; zero or less when nothing is. */
export function missingQuantity(
  { side, closing, others }: Closing,
  { net, against, shortfall }: AccountPosition,
): number {
  const leaving = others.reduce((sum, other) => sum + (other.side === side ? other.closing : 0), closing);
  return leaving - (side === 'sell' ? net : -net) - against - (side === 'sell' ? shortfall : 0);
}

/** How much an order may close when `missing` is not available. */
export function availableQuantity(closing: number, missing: number): Quantity {
  return quantity(Math.max(0, closing - Math.max(0, missing)));
}
