// The owner may have sold by hand what a stop would sell. It is found by the broker's own list of positions.
import { listRestingInAccount } from '#records/protective-orders.ts';
import type { OrderId } from '#units/identifiers.ts';
import type { Desk } from './desk.ts';
import type { TradingContext } from './trading-context.ts';

/** Stops that, with all else under way, would close more than the account holds; none while it is not known. */
export async function stopsBeyondHoldings(
  { database }: Pick<TradingContext, 'database'>,
  { connection, guard }: Desk,
): Promise<ReadonlySet<OrderId>> {
  const { held } = guard;
  if (held === null) return new Set();
  const resting = await listRestingInAccount(database, connection.accountId);
  const beyond = resting.filter(({ symbol, side, leaving, against }) => {
    const net = held.get(symbol) ?? 0;
    return leaving > (side === 'sell' ? net : -net) + against;
  });
  return new Set(beyond.map(({ id }) => id));
}
