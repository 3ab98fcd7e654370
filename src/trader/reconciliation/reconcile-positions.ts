// What the account holds, beside what our books say: after a gap, while the fate of an order is unknown, and now and then.
// A difference is noted for a person and never traded away; what is not ours is never sold.
import { listUnderWay } from '#records/execution/account-orders.ts';
import {
  type BookDifference,
  type DifferenceSlot,
  differenceKey,
  readDifferences,
  saveDifferences,
  slotOf,
} from '#records/adjustments/book-differences.ts';
import type { Symbol } from '#units/identifiers.ts';
import { quantity } from '#units/quantity.ts';
import {
  type AccountBook,
  findAccountBook,
  isLastSessionProcessed,
  readAccountBooks,
} from './account-books.ts';
import { valueOf } from '../connections/broker-unavailable.ts';
import type { ActiveConnection } from '../connections/connection.ts';
import type { TradingContext } from '../trading-context.ts';

export async function readPositions(
  context: TradingContext,
  { connection, session, health }: ActiveConnection,
): Promise<void> {
  const { accountId } = connection;
  const told = valueOf('positions', await session.positions(accountId));
  const held = new Map<Symbol, number>();
  for (const { symbol, quantity } of told) if (symbol !== null) held.set(symbol, quantity);
  health.held = held;
  health.heldAt = context.realNow();
  // What such an order has filled may show in the positions before it does among the executions.
  const underWay = await listUnderWay(context.database, accountId);
  const books = await readAccountBooks(context.database, accountId);
  const traded = new Set(books.map(({ symbol }) => symbol));
  for (const symbol of new Set([...health.foreign.keys(), ...held.keys()])) {
    if (!traded.has(symbol) && !underWay.has(symbol)) health.foreign.set(symbol, held.get(symbol) ?? 0);
  }
  const lasting: BookDifference[] = [];
  const settled: DifferenceSlot[] = [];
  for (const book of books.filter((one) => isLastSessionProcessed(one, context.now))) {
    const { symbol, ours, external } = book;
    const foreign = (held.get(symbol) ?? 0) - ours - external;
    lookAtOthers(health, book, { isExplained: foreign === 0, lasting, settled });
    const unbooked = underWay.get(symbol);
    const known = health.foreign.get(symbol) ?? 0;
    const isExplained =
      unbooked !== undefined && foreign >= known - unbooked.selling && foreign <= known + unbooked.buying;
    if (unbooked === undefined) health.foreign.set(symbol, foreign);
    if (foreign === 0) settled.push({ kind: 'unexplained', symbol });
    if (isExplained) continue;
    const before = health.noted.get(symbol);
    health.noted.set(symbol, foreign);
    // What is seen twice is no matter of which list was read first.
    if (foreign !== 0 && before === foreign)
      lasting.push({
        kind: 'unexplained',
        symbol,
        ours,
        external,
        theirs: quantity(ours + external + foreign),
        units: quantity(foreign),
        price: null,
        tradedAt: null,
      });
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
  await noteDifferences(context, { connection, health }, { lasting, settled });
}

/**
 * Where books and trades of others come to what the broker says, those of others may still go against what deployments
 * hold. Seen twice in a row so, and with nothing that no trade explains beside it, it is no matter of what was told first.
 */
function lookAtOthers(
  { notedOthers }: ActiveConnection['health'],
  { symbol, ours, external, shortfall, byHand }: AccountBook,
  { isExplained, lasting, settled }: Looked & { readonly isExplained: boolean },
): void {
  const short = shortfall === 0 ? null : { units: quantity(-shortfall), price: null, at: null };
  for (const [kind, found] of [['by_hand', byHand] as const, ['shortfall', short] as const]) {
    const slot = slotOf({ kind, symbol });
    const isRepeated = notedOthers.get(slot) === external;
    if (found !== null && isExplained) notedOthers.set(slot, external);
    else notedOthers.delete(slot);
    if (found === null) settled.push({ kind, symbol });
    else if (isExplained && isRepeated) {
      const { units, price, at } = found;
      const theirs = quantity(ours + external);
      const tradedAt = at === null ? null : new Date(at);
      lasting.push({ kind, symbol, ours, external, theirs, units, price, tradedAt });
    }
  }
}

type Looked = { readonly lasting: BookDifference[]; readonly settled: DifferenceSlot[] };

/** For support: what lasts is written once, and again when it is another; what has gone is ended. */
async function noteDifferences(
  { database, lease }: TradingContext,
  { connection, health }: Pick<ActiveConnection, 'connection' | 'health'>,
  { lasting, settled }: Looked,
): Promise<void> {
  const { accountId } = connection;
  const written = (health.differences ??= await readDifferences(database, accountId));
  const fresh = lasting.filter((one) => written.get(slotOf(one)) !== differenceKey(one));
  const over = settled.map(slotOf).filter((slot) => written.has(slot));
  if (fresh.length === 0 && over.length === 0) return;
  await database.transaction().execute(async (trx) => {
    await lease.fence(trx, [connection.id]);
    await saveDifferences(trx, accountId, { lasting: fresh, settled: over });
  });
  for (const one of fresh) written.set(slotOf(one), differenceKey(one));
  for (const slot of over) written.delete(slot);
}

/**
 * Whether the account holds of a symbol just what it would without an order whose fate is unknown; null when that cannot
 * be said now.
 */
export async function holdsWithout(
  context: TradingContext,
  { connection, health }: ActiveConnection,
  symbol: Symbol,
): Promise<boolean | null> {
  if (health.held === null) return null;
  const books = await findAccountBook(context.database, connection.accountId, symbol);
  if (books !== undefined && !isLastSessionProcessed(books, context.now)) return null;
  const expected = books === undefined ? 0 : books.ours + books.external;
  return (health.held.get(symbol) ?? 0) === expected + (health.foreign.get(symbol) ?? 0);
}
