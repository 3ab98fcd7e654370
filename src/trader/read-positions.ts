// What the account holds, beside what our books say: after a gap, while the fate of an order is unknown, and now and then.
// A difference is noted for a person and never traded away; what is not ours is never sold.
import { listOrders } from '#records/orders.ts';
import type { Symbol } from '#units/identifiers.ts';
import { readAccountBooks } from './account-books.ts';
import { valueOf } from './broker-away.ts';
import type { Desk } from './desk.ts';
import type { TradingContext } from './trading-context.ts';

export async function readPositions(
  context: TradingContext,
  { connection, session, guard }: Desk,
): Promise<void> {
  const { accountId } = connection;
  const told = valueOf('positions', await session.positions(accountId));
  const held = new Map<Symbol, number>();
  for (const { symbol, quantity } of told) if (symbol !== null) held.set(symbol, quantity);
  guard.held = held;
  guard.heldAt = context.realNow();
  const unknown = await listOrders(context.database, {
    connection: connection.id,
    statuses: ['sending', 'unknown'],
  });
  const unsure = new Set(unknown.map(({ decided }) => decided.symbol));
  const books = await readAccountBooks(context.database, accountId);
  const traded = new Set(books.map(({ symbol }) => symbol));
  for (const [symbol, quantity] of held) {
    if (!traded.has(symbol) && !unsure.has(symbol)) guard.foreign.set(symbol, quantity);
  }
  for (const { symbol, ours, external } of books) {
    if (unsure.has(symbol)) continue;
    const foreign = (held.get(symbol) ?? 0) - ours - external;
    const before = guard.foreign.get(symbol);
    guard.foreign.set(symbol, foreign);
    if (foreign !== 0 && before !== foreign) {
      context.logger.warn(
        {
          accountId,
          symbol,
          ours: ours / 1e8,
          external: external / 1e8,
          broker: (held.get(symbol) ?? 0) / 1e8,
        },
        'trader: the account holds something else than our books say; a person must look, nothing is traded for it',
      );
    }
  }
}

/** Whether the account holds of a symbol just what it would without an order whose fate is unknown. */
export async function holdsWithout(
  context: TradingContext,
  { connection, guard }: Desk,
  symbol: Symbol,
): Promise<boolean> {
  if (guard.held === null) return false;
  const rows = await readAccountBooks(context.database, connection.accountId);
  const books = rows.find((row) => row.symbol === symbol);
  const expected = books === undefined ? 0 : books.ours + books.external;
  return (guard.held.get(symbol) ?? 0) === expected + (guard.foreign.get(symbol) ?? 0);
}
