// What a broker reports of orders and fills, as far as decisions look at it.
import type { ClientOrderId, ExecutionId, Symbol } from '#units/identifiers.ts';
import type { Quantity } from '#units/quantity.ts';
import type { Side } from '../../order/order.ts';

export type OrderReport = {
  readonly brokerOrderId: string;
  /** The id that we sent, where the broker gives it back. */
  readonly clientOrderId: ClientOrderId | null;
  /** attention: the broker does not work it for now, and may again. */
  readonly status: 'working' | 'attention' | 'filled' | 'cancelled' | 'expired' | 'rejected';
  readonly filled: Quantity;
  /** The broker's own words about an end; empty when it gave none. */
  readonly note: string;
};

export type FillReport = {
  readonly executionId: ExecutionId;
  /** What the ids of all revisions of it begin with; later ones sort behind earlier ones. */
  readonly revisionStem?: string | null;
  readonly brokerOrderId: string;
  /** Null where the catalogue does not hold the instrument. */
  readonly symbol: Symbol | null;
  readonly brokerInstrumentId: string;
  readonly side: Side;
  /** Zero in a revision that takes the execution back. */
  readonly quantity: Quantity;
};
