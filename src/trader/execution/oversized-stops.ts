import { oversizedStops } from '#engine/execution/stops/oversized-stops.ts';
import { listStopsAtBroker } from '#records/execution/protective-orders.ts';
import type { OrderId, Symbol } from '#units/identifiers.ts';
import type { Quantity } from '#units/quantity.ts';
import type { ActiveConnection } from '../connections/connection.ts';
import { readShortfall } from '../reconciliation/account-books.ts';
import type { TradingContext } from '../trading-context.ts';

/** Empty while the account's holdings are unknown. The books are read only for stops that seem oversized without them. */
export async function findOversizedStops(
  { database }: Pick<TradingContext, 'database'>,
  { connection: { accountId }, known }: ActiveConnection,
): Promise<ReadonlySet<OrderId>> {
  const { held, unsure } = known.health;
  if (held === null) return new Set();
  const stops = await listStopsAtBroker(database, accountId);
  const suspected = oversizedStops(stops, { held, shortfalls: new Map(), unsure });
  const shortfalls = new Map<Symbol, Quantity>();
  for (const { id, symbol } of stops)
    if (suspected.has(id)) shortfalls.set(symbol, await readShortfall(database, accountId, symbol));
  return oversizedStops(stops, { held, shortfalls, unsure });
}
