// How an adjustment changes the order whose execution it reverses.
import type { Side } from '../order/order.ts';
import { type Quantity, quantity } from '#units/quantity.ts';
import { timesRatio } from './decide-adjustment.ts';

export type AdjustedOrder = {
  readonly filled: Quantity;
  /** The signed change of its filled quantity. */
  readonly filledChange: Quantity;
  /** A working order fills the reversed quantity again; a filled order is no longer filled. */
  readonly becomes: 'filled' | 'cancelled' | 'as_it_is';
};

/** Quantities of the order are in units of the day it was decided; `ratio` is how many units one of them is now. */
export function adjustOrder(
  order: {
    readonly side: Side;
    readonly quantity: Quantity;
    readonly filled: Quantity;
    readonly isFilled: boolean;
  },
  {
    undone,
    books,
    ratio,
  }: {
    /** Signed, from the reversed execution. */
    readonly undone: Quantity;
    /** Signed, in current units: what is booked in its place. */
    readonly books: Quantity | null;
    readonly ratio: number;
  },
): AdjustedOrder {
  const isItsOwn = books !== null && books > 0 === (order.side === 'buy');
  const counts = isItsOwn ? Math.abs(timesRatio(books, 1 / ratio)) : 0;
  const most = order.quantity - order.filled;
  const filledChange = quantity(Math.min(counts - Math.abs(undone), most));
  const filled = quantity(order.filled + filledChange);
  if (filledChange === 0) return { filled, filledChange, becomes: 'as_it_is' };
  if (filled === order.quantity) return { filled, filledChange, becomes: 'filled' };
  return { filled, filledChange, becomes: order.isFilled ? 'cancelled' : 'as_it_is' };
}
