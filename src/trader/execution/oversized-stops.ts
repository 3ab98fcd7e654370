// The owner may have sold by hand what a stop would sell. It is found by the broker's own list of positions.
import { listRestingInAccount } from '#records/execution/protective-orders.ts';
import type { OrderId } from '#units/identifiers.ts';
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
  const resting = await listRestingInAccount(database, connection.accountId);
  const beyond = new Set<OrderId>();
  for (const { id, symbol, side, leaving, against } of resting) {
    const net = held.get(symbol) ?? 0;
    const lacking = leaving - (side === 'sell' ? net : -net) - against;
    if (lacking <= 0) continue;
    const shortfall = side === 'sell' ? await readShortfall(database, connection.accountId, symbol) : 0;
    if (lacking > shortfall) beyond.add(id);
  }
  return beyond;
}
