// What the account holds, beside what our books say: after a gap, while the fate of an order is unknown, and now and then.
// A difference is noted for a person and never traded away; what is not ours is never sold.
import { listUnderWay } from '#records/account-orders.ts';
import {
  type BookDifference,
  differenceKey,
  readDifferences,
  saveDifferences,
} from '#records/book-differences.ts';
import type { Symbol } from '#units/identifiers.ts';
import { quantity } from '#units/quantity.ts';
import { haveLastNight, readAccountBooks } from './account-books.ts';
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
  // What such an order has filled may show in the positions before it does among the executions.
  const underWay = await listUnderWay(context.database, accountId);
  const books = await readAccountBooks(context.database, accountId);
  const traded = new Set(books.map(({ symbol }) => symbol));
  for (const symbol of new Set([...guard.foreign.keys(), ...held.keys()])) {
    if (!traded.has(symbol) && !underWay.has(symbol)) guard.foreign.set(symbol, held.get(symbol) ?? 0);
  }
  const lasting: BookDifference[] = [];
  const settled: Symbol[] = [];
  for (const { symbol, ours, external } of books.filter((book) => haveLastNight(book, context.now))) {
    const foreign = (held.get(symbol) ?? 0) - ours - external;
    const unbooked = underWay.get(symbol);
    const known = guard.foreign.get(symbol) ?? 0;
    const isExplained =
      unbooked !== undefined && foreign >= known - unbooked.selling && foreign <= known + unbooked.buying;
    if (unbooked === undefined) guard.foreign.set(symbol, foreign);
    if (foreign === 0) settled.push(symbol);
    if (isExplained) continue;
    const before = guard.noted.get(symbol);
    guard.noted.set(symbol, foreign);
    // What is seen twice is no matter of which list was read first.
    if (foreign !== 0 && before === foreign)
      lasting.push({ symbol, ours, external, theirs: quantity(ours + external + foreign) });
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
  await noteDifferences(context, { connection, guard }, { lasting, settled });
}

/** For the desk: what lasts is written once, and again when it is another; what has gone is ended. */
async function noteDifferences(
  { database, hold }: TradingContext,
  { connection, guard }: Pick<Desk, 'connection' | 'guard'>,
  { lasting, settled }: { readonly lasting: readonly BookDifference[]; readonly settled: readonly Symbol[] },
): Promise<void> {
  const { accountId } = connection;
  const written = (guard.differences ??= await readDifferences(database, accountId));
  const fresh = lasting.filter((one) => written.get(one.symbol) !== differenceKey(one));
  const over = settled.filter((symbol) => written.has(symbol));
  if (fresh.length === 0 && over.length === 0) return;
  await database.transaction().execute(async (trx) => {
    await hold.fence(trx, [connection.id]);
    await saveDifferences(trx, accountId, { lasting: fresh, settled: over });
  });
  for (const one of fresh) written.set(one.symbol, differenceKey(one));
  for (const symbol of over) written.delete(symbol);
}

/**
 * Whether the account holds of a symbol just what it would without an order whose fate is unknown; null when that cannot
 * be said now.
 */
export async function holdsWithout(
  context: TradingContext,
  { connection, guard }: Desk,
  symbol: Symbol,
): Promise<boolean | null> {
  if (guard.held === null) return null;
  const rows = await readAccountBooks(context.database, connection.accountId);
  const books = rows.find((row) => row.symbol === symbol);
  if (books !== undefined && !haveLastNight(books, context.now)) return null;
  const expected = books === undefined ? 0 : books.ours + books.external;
  return (guard.held.get(symbol) ?? 0) === expected + (guard.foreign.get(symbol) ?? 0);
}
