// The owner may have sold externally what a stop would sell. The broker's own list of positions shows it.
import type { OrderId, Symbol } from '#units/identifiers.ts';
import type { Side } from '../../order/order.ts';
import { missingQuantity } from '../orders/available-quantity.ts';
import { isPositionUnread, type UnsureInstruments } from '../reconciliation/unread-rows.ts';

/** A stop at the broker, with the other orders of its account on the same side. */
export type StopAtBroker = {
  readonly id: OrderId;
  readonly symbol: Symbol;
  readonly side: Side;
  /** The total that orders of the account on the stop's side would still close, including the stop. */
  readonly leaving: number;
  /** Opposite positions of deployments. */
  readonly against: number;
};

type AccountHeld = {
  readonly held: ReadonlyMap<Symbol, number>;
  readonly shortfalls: ReadonlyMap<Symbol, number>;
  readonly unsure: UnsureInstruments;
};

/**
 * Stops that, with all other orders in flight, would close more than the account holds. `shortfalls` is what each
 * instrument has been short of since a broker took purchases back: it counts as held.
 */
export function oversizedStops(
  stops: readonly StopAtBroker[],
  { held, shortfalls, unsure }: AccountHeld,
): ReadonlySet<OrderId> {
  const oversized = stops.filter(({ symbol, side, leaving, against }) => {
    if (isPositionUnread(unsure, symbol)) return false;
    const account = { net: held.get(symbol) ?? 0, against, shortfall: shortfalls.get(symbol) ?? 0 };
    return missingQuantity({ side, closing: leaving, others: [] }, account) > 0;
  });
  return new Set(oversized.map(({ id }) => id));
}
