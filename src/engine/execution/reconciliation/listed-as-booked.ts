import type { Symbol } from '#units/identifiers.ts';
import type { OpenOrder } from '../orders/open-order.ts';
import type { OrderReport } from './order-report.ts';

/**
 * The instruments of which a list of the broker shows every order of ours as working and filled no further than is booked:
 * what the account's positions showed a list lag ago hides no fill of them.
 */
export function listedAsBooked(
  open: readonly OpenOrder[],
  reportOf: (order: OpenOrder) => Pick<OrderReport, 'status' | 'filled'> | undefined,
): ReadonlySet<Symbol> {
  const symbols = new Set(open.map(({ decided }) => decided.symbol));
  for (const order of open) {
    const report = reportOf(order);
    const isAsBooked = report?.status === 'working' && report.filled <= order.filled;
    if (!isAsBooked) symbols.delete(order.decided.symbol);
  }
  return symbols;
}
