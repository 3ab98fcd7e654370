// Events of a holding without an order of its holder: a split, a dividend, the cost of financing, an expiry, the
// exercise of an option held and the assignment of one written. All of them happen between a close and the next
// opening, before any decision on that close; but a fee in coins comes with its purchase.
import type { Symbol } from '#units/identifiers.ts';
import type { Quantity } from '#units/quantity.ts';

export type PositionEvent =
  /** `ratio` new units for each old one. */
  | { readonly type: 'split'; readonly symbol: Symbol; readonly ratio: number; readonly markAfter: number }
  /** Dollars for each unit held long; a short position pays what a long one receives. */
  | {
      readonly type: 'dividend' | 'swap';
      readonly symbol: Symbol;
      readonly perUnit: number;
      readonly markAfter: number;
    }
  /** The contract ends and is settled in cash at this price, which may be zero. */
  | { readonly type: 'expiry'; readonly symbol: Symbol; readonly price: number }
  | Delivery;

/**
 * The broker keeps coins of a purchase as its fee, at the price of the purchase. Negative units come back: the fee was
 * estimated too high. They pay the commission of the fill, which is booked in money.
 */
export type CoinFee = {
  readonly type: 'coin_fee';
  readonly symbol: Symbol;
  readonly units: Quantity;
  readonly price: number;
  /** The execution that it is charged for, as account and id. */
  readonly fill: string;
};

/** Contracts end in shares, at their strike: 'exercise' for their holders, 'assignment' for their writers. */
export type Delivery = {
  readonly type: 'exercise' | 'assignment';
  readonly symbol: Symbol;
  /** Signed like the position that they are taken from. */
  readonly contracts: Quantity;
  readonly underlying: Symbol;
  /** Signed: bought or sold. */
  readonly shares: Quantity;
  readonly strike: number;
  /** The close of the underlying that evening. */
  readonly spot: number;
};

export function isDelivery(event: PositionEvent): event is Delivery {
  return event.type === 'exercise' || event.type === 'assignment';
}
