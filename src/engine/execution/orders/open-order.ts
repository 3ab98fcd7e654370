// One of our orders that has not ended, as recorded: the input to decisions about it.
import type { OrderId } from '#units/identifiers.ts';
import type { Instant } from '#units/instant.ts';
import type { Quantity } from '#units/quantity.ts';
import type { RecordedOrder } from '../../order/approved-order.ts';
import type { OrderStatus } from '../../order/order-status.ts';
import type { OrderReason } from './order-reason.ts';
import type { Visibility } from './visibility.ts';

export type OpenOrder = {
  readonly id: OrderId;
  readonly decided: RecordedOrder;
  readonly status: OrderStatus;
  readonly reason: OrderReason | null;
  readonly filled: Quantity;
  readonly brokerOrderId: string | null;
  readonly sentAt: Instant | null;
  readonly visibility: Visibility;
};

/** A protective stop: an order of its session like any other, triggered by a price. */
export function isProtective({ decided }: Pick<OpenOrder, 'decided'>): boolean {
  return decided.purpose === 'protective';
}
