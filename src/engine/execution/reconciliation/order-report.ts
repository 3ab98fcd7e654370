// A broker's reports of orders and fills, as far as decisions use them.
import type { ClientOrderId, ExecutionId, Symbol } from '#units/identifiers.ts';
import type { Micro } from '#units/money.ts';
import type { Quantity } from '#units/quantity.ts';
import type { Side } from '../../order/order.ts';

export type OrderReport = {
  readonly brokerOrderId: string;
  /** The id that we sent, where the broker returns it. */
  readonly clientOrderId: ClientOrderId | null;
  /** attention: the broker has parked it, and may work it again. */
  readonly status: 'working' | 'attention' | 'filled' | 'cancelled' | 'expired' | 'rejected';
  readonly filled: Quantity;
  /** The broker's own words about an end; empty when there were none. */
  readonly note: string;
};

export type FillReport = {
  readonly executionId: ExecutionId;
  /** The common prefix of the ids of all its revisions; later ones sort after earlier ones. */
  readonly revisionStem?: string | null;
  readonly brokerOrderId: string;
  /** Null where the catalogue does not have the instrument. */
  readonly symbol: Symbol | null;
  readonly brokerInstrumentId: string;
  readonly side: Side;
  /** Zero in a revision that takes the execution back. */
  readonly quantity: Quantity;
  /** Zero or negative where the broker says so. */
  readonly price: number;
};

/** `units`: the broker keeps that many of the units bought, which are worth the commission at the price of the execution. */
export type ExpectedFee = { readonly commission: Micro; readonly units: Quantity | null };
