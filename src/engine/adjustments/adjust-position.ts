// How an approved adjustment changes the order whose execution it reverses, and which intents it makes obsolete.
import type { OrderId, Symbol } from '#units/identifiers.ts';
import type { Instant } from '#units/instant.ts';
import type { Quantity } from '#units/quantity.ts';
import type { OpenOrder } from '../execution/orders/open-order.ts';
import { isProtective } from '../execution/orders/open-order.ts';
import type { OrderUpdate } from '../execution/orders/order-record.ts';
import { adjustOrder } from './adjust-order.ts';

export type AdjustedOrderUpdate = {
  readonly id: OrderId;
  readonly filledChange: Quantity;
  /** Null when the order does not change. */
  readonly update: OrderUpdate | null;
};

export function updateAdjustedOrder(
  { id, decided, filled: before, status }: Pick<OpenOrder, 'id' | 'decided' | 'filled' | 'status'>,
  undone: { readonly units: Quantity; readonly books: Quantity | null; readonly ratio: number },
  endedAt: Instant,
): AdjustedOrderUpdate {
  const { side, quantity } = decided;
  const { units, books, ratio } = undone;
  const { filled, filledChange, becomes } = adjustOrder(
    { side, quantity, filled: before, isFilled: status === 'filled' },
    { undone: units, books, ratio },
  );
  const change = { id, filledChange };
  if (becomes === 'filled') return { ...change, update: { status: 'filled', reason: null, filled, endedAt } };
  if (becomes === 'cancelled')
    return { ...change, update: { status: 'cancelled', reason: { code: 'fill_corrected' }, filled } };
  return { ...change, update: filledChange === 0 ? null : { status, filled } };
}

/** Intents decided on the position as booked before, and not sent yet: they are decided again. */
export function correctedIntents(openOrders: readonly OpenOrder[], symbol: Symbol): readonly OrderId[] {
  return openOrders
    .filter((order) => order.status === 'intended' && order.decided.symbol === symbol && !isProtective(order))
    .map(({ id }) => id);
}
