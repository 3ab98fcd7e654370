// A practice account: what a venue of ours keeps for one deployment that trades without a broker. Its money is nobody's.
// Promises the arithmetic of real books: a fill and a day change it exactly as they change a deployment.
import type { BrokerAccountId, ClientOrderId, ExecutionId, Symbol } from '#units/identifiers.ts';
import type { Instant } from '#units/instant.ts';
import type { Micro } from '#units/money.ts';
import { type Quantity, quantity } from '#units/quantity.ts';
import type { Side } from '../order/order.ts';
import type { Portfolio } from '../portfolio/portfolio.ts';

export type PracticeOrderStatus = 'working' | 'filled' | 'cancelled' | 'expired';

export type PracticeOrder = {
  readonly orderId: string;
  readonly clientOrderId: ClientOrderId;
  readonly symbol: Symbol;
  readonly side: Side;
  /** Positive. */
  readonly quantity: Quantity;
  readonly filled: Quantity;
  /** Null for a stop. */
  readonly limitPrice: number | null;
  readonly stopPrice: number | null;
  readonly status: PracticeOrderStatus;
  readonly submittedAt: Instant;
  /** The close of its day. */
  readonly expiresAt: Instant;
  /** When it last filled or ended. */
  readonly changedAt: Instant;
};

export type PracticeExecution = {
  readonly executionId: ExecutionId;
  readonly orderId: string;
  readonly clientOrderId: ClientOrderId;
  readonly symbol: Symbol;
  readonly side: Side;
  readonly quantity: Quantity;
  readonly price: number;
  readonly commission: Micro;
  readonly at: Instant;
};

export type PracticeAccount = {
  readonly accountId: BrokerAccountId;
  readonly portfolio: Portfolio;
  readonly working: readonly PracticeOrder[];
  /** Every session that ended by then has been applied, and every order has been tried. */
  readonly lookedAt: Instant;
};

/** What a look at the market changed. */
export type PracticeChange = {
  readonly account: PracticeAccount;
  /** Orders that are new, filled in part or ended, as they are now. */
  readonly orders: readonly PracticeOrder[];
  readonly executions: readonly PracticeExecution[];
};

export function unchanged(account: PracticeAccount): PracticeChange {
  return { account, orders: [], executions: [] };
}

/** The venue's id of an order follows from ours: the same order has the same id after any crash. */
export function practiceOrderId(clientOrderId: ClientOrderId): string {
  return `practice-${clientOrderId}`;
}

export function openQuantity({
  quantity: whole,
  filled,
}: Pick<PracticeOrder, 'quantity' | 'filled'>): Quantity {
  return quantity(whole - filled);
}
