// One of our orders that has not ended, as recorded: the input to decisions about it.
import type { OrderId } from '#units/identifiers.ts';
import type { Instant } from '#units/instant.ts';
import type { WallInstant } from '#units/wall-instant.ts';
import type { Quantity } from '#units/quantity.ts';
import type { RecordedOrder } from '../../order/approved-order.ts';
import type { OrderStatus } from '../../order/order-status.ts';
import type { Tries } from '../back-off.ts';
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
  /** The broker's clock: since when each look has shown that the account holds what it would without the order. */
  readonly absentSince: WallInstant | null;
  /** Times that it could not be sent; null before the first. */
  readonly sendTries: Tries | null;
  /** Requests to cancel it; null before the first. */
  readonly cancelTries: Tries | null;
  /** Ticks since the first of them whose look at the broker did not show its end. */
  readonly cancelLooks: number;
};

/** A protective stop: an order of its session like any other, triggered by a price. */
export function isProtective({ decided }: Pick<OpenOrder, 'decided'>): boolean {
  return decided.purpose === 'protective';
}

/** Once requested, a cancellation is requested until the order has ended: the broker may carry out the first request yet. */
export function isBeingCancelled({ reason }: Pick<OpenOrder, 'reason'>): boolean {
  return reason?.code === 'cancel_requested' || reason?.code === 'cancel_not_confirmed';
}

/** Whether only a person can say what has become of it, unless the broker does: it is a task for staff. */
export function isUnresolved({ status, reason }: Pick<OpenOrder, 'status' | 'reason'>): boolean {
  return status === 'unknown' || (status === 'working' && reason?.code === 'cancel_not_confirmed');
}
