// The owner may have sold by hand what a stop would sell. It is found by the broker's own list of positions.
import { missingQuantity } from '#engine/execution/available-quantity.ts';
import { listStopsAtBroker } from '#records/execution/protective-orders.ts';
import type { OrderId } from '#units/identifiers.ts';
import { ZERO_QUANTITY } from '#units/quantity.ts';
import { readShortfall } from '../reconciliation/account-books.ts';
import type { ActiveConnection } from '../connections/connection.ts';
import type { TradingContext } from '../trading-context.ts';

/** Stops that, with all else under way, would close more than the account holds; none while it is not known. */
export async function findOversizedStops(
  { database }: Pick<TradingContext, 'database'>,
  { connection, health }: ActiveConnection,
): Promise<ReadonlySet<OrderId>> {
  const { held } = health;
  if (held === null) return new Set();
  const workingStops = await listStopsAtBroker(database, connection.accountId);
  const oversized = new Set<OrderId>();
  for (const { id, symbol, side, leaving, against } of workingStops) {
    const closing = { side, closing: leaving, others: [] };
    const account = { net: held.get(symbol) ?? 0, against, shortfall: ZERO_QUANTITY };
    if (missingQuantity(closing, account) <= 0) continue;
    const shortfall = await readShortfall(database, connection.accountId, symbol);
    if (missingQuantity(closing, { ...account, shortfall }) > 0) oversized.add(id);
  }
  return oversized;
}
