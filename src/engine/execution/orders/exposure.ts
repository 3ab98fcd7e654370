import type { Side } from '../../order/order.ts';
import type { Quantity } from '#units/quantity.ts';

/** Whether an order could increase a position or turn it round; closing and reducing do neither. */
export function addsExposure(
  order: { readonly side: Side; readonly quantity: Quantity },
  held: number,
): boolean {
  const after = held + (order.side === 'buy' ? order.quantity : -order.quantity);
  const reduces = Math.abs(after) < Math.abs(held) && (after === 0 || Math.sign(after) === Math.sign(held));
  return !reduces;
}
