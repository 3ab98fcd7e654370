import type { BrokerOrder } from '../../src/ports/broker.ts';
import type { ApprovedOrder } from '../../src/engine/order/order.ts';
import type { BrokerAccountId, ClientOrderId, Symbol } from '../../src/units/identifiers.ts';
import type { Instant } from '../../src/units/instant.ts';
import type { Quantity } from '../../src/units/quantity.ts';

/** An order as the scripted venue keeps it. */
export type VenueOrder = {
  readonly brokerOrderId: string;
  readonly accountId: BrokerAccountId;
  readonly clientOrderId: ClientOrderId;
  readonly symbol: Symbol;
  readonly side: 'buy' | 'sell';
  readonly quantity: Quantity;
  readonly limitPrice: number;
  /** Where it is let go; null of an order with a limit. */
  readonly stopPrice: number | null;
  readonly endsAt: Instant;
  filled: Quantity;
  status: BrokerOrder['status'];
};

/** Whether an open order is on the other side of the account, and one of the two is a stop. */
export function isAcrossStop(
  orders: readonly VenueOrder[],
  accountId: BrokerAccountId,
  order: Pick<ApprovedOrder, 'symbol' | 'side'> & { readonly stopPrice: number | null },
): boolean {
  return orders.some(
    (one) =>
      one.accountId === accountId &&
      one.status === 'working' &&
      one.symbol === order.symbol &&
      one.side !== order.side &&
      (one.stopPrice !== null || order.stopPrice !== null),
  );
}

/** What becomes of one submission. rejected, accepted: the words are those of a refusal, and the order is there. lost: no answer comes, and the order is there or not. dies: the call throws. */
export type SubmissionFault =
  | 'rejected'
  | 'rejected, accepted'
  | 'not sent'
  | 'lost, accepted'
  | 'lost, not accepted'
  | 'dies before'
  | 'dies after';
