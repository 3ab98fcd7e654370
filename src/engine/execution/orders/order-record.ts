// One of our orders as recorded, from the intent that is written before anything is sent to its end.
import type { BrokerConnectionId, OrderId, TargetId } from '#units/identifiers.ts';
import type { Instant } from '#units/instant.ts';
import type { Micro } from '#units/money.ts';
import type { WallInstant } from '#units/wall-instant.ts';
import type { Quantity } from '#units/quantity.ts';
import type { Tries } from '../back-off.ts';
import type { OrderStatus } from '../../order/order-status.ts';
import type { ApprovedOrder } from '../../order/order.ts';
import type { OpenOrder } from './open-order.ts';
import type { OrderReason } from './order-reason.ts';
import type { Visibility } from './visibility.ts';

export type OrderRecord = OpenOrder & {
  readonly connectionId: BrokerConnectionId;
  readonly targetId: TargetId | null;
  /** When the price that it was decided on was current; null for a stop, whose price follows from the entry. */
  readonly pricedAt: Instant | null;
  readonly filledValue: Micro;
  readonly realized: Micro;
};

/** The id is assigned when it is written. */
export type NewOrder = {
  readonly connectionId: BrokerConnectionId;
  readonly targetId: TargetId | null;
  readonly order: ApprovedOrder;
  readonly pricedAt: Instant | null;
  /** For an exit at the stop loss and for a protective stop: the limit behind it. Else null. */
  readonly stopLossPercentage: number | null;
};

/** Absent fields do not change. */
export type OrderUpdate = {
  readonly status: OrderStatus;
  readonly reason?: OrderReason | null;
  readonly brokerOrderId?: string;
  readonly visibility?: Visibility;
  readonly absentSince?: WallInstant | null;
  readonly sendTries?: Tries;
  readonly cancelTries?: Tries;
  readonly cancelLooks?: number;
  readonly sentAt?: Instant | null;
  readonly endedAt?: Instant;
  readonly filled?: Quantity;
  readonly filledValue?: Micro;
  readonly realized?: Micro;
};

/** An update of one order, to be written under its lock. */
export type OrderTransition = { readonly id: OrderId; readonly update: OrderUpdate };
