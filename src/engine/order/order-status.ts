// The states of an order, each defined once: SQL reads the same lists through the views `open_orders` and
// `orders_at_broker`.

/**
 * intended: written, not sent. sending: the send has begun, its outcome is unknown. working: the broker has it.
 * unknown: sent, and its fate is unknown. withdrawn: it never left. The others are the broker's words for an end.
 */
export const ORDER_STATUSES = [
  'intended',
  'sending',
  'working',
  'filled',
  'cancelled',
  'rejected',
  'expired',
  'withdrawn',
  'unknown',
] as const;
export type OrderStatus = (typeof ORDER_STATUSES)[number];

/** At the broker, or possibly there. */
export const AT_BROKER = ['sending', 'working', 'unknown'] as const satisfies readonly OrderStatus[];

/** The orders that may still become a position. */
export const OPEN = ['intended', ...AT_BROKER] as const satisfies readonly OrderStatus[];

export function isOpen(status: OrderStatus): boolean {
  return (OPEN as readonly OrderStatus[]).includes(status);
}

export function isAtBroker(status: OrderStatus): boolean {
  return (AT_BROKER as readonly OrderStatus[]).includes(status);
}
