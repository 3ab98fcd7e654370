// What the account holds, compared with our books: after a gap, while an order is unconfirmed, and now and then.
import {
  breakSlot,
  type PositionReconciliation,
  reconcilePositions,
} from '#engine/execution/reconcile-positions.ts';
import { breakKey, readBreaks, saveBreaks } from '#records/adjustments/reconciliation-breaks.ts';
import { listUnderWay } from '#records/execution/account-orders.ts';
import type { Symbol } from '#units/identifiers.ts';
import { fromQuantity } from '#units/quantity.ts';
import type { ActiveConnection } from '../connections/connection.ts';
import { valueOf } from '../connections/broker-unavailable.ts';
import type { TradingContext } from '../trading-context.ts';
import { isLastSessionProcessed, readAccountBooks } from './account-books.ts';

export async function readPositions(context: TradingContext, active: ActiveConnection): Promise<void> {
  const { connection, session, health } = active;
  const { accountId } = connection;
  const reported = valueOf('positions', await session.positions(accountId));
  const held = new Map<Symbol, number>();
  for (const { symbol, quantity } of reported) if (symbol !== null) held.set(symbol, quantity);
  health.held = held;
  health.heldAt = context.realNow();
  const books = await readAccountBooks(context.database, accountId);
  const result = reconcilePositions({
    held,
    books: books.filter((book) => isLastSessionProcessed(book, context.now)),
    traded: new Set(books.map(({ symbol }) => symbol)),
    underWay: await listUnderWay(context.database, accountId),
    seen: health.seen,
  });
  health.seen = result.seen;
  for (const { symbol, ours, external, theirs } of result.fresh) {
    const [inBooks, ofOthers, broker] = [ours, external, theirs].map(fromQuantity);
    context.logger.warn(
      { accountId, symbol, ours: inBooks, external: ofOthers, broker },
      'trader: the account holds something else than our books say; a person must look, nothing is traded for it',
    );
  }
  await recordBreaks(context, active, result);
}

/** What lasts is written once, and again when it is another; what has gone is ended. */
async function recordBreaks(
  { database, lease }: TradingContext,
  { connection, health }: ActiveConnection,
  { lasting, cleared }: PositionReconciliation,
): Promise<void> {
  const { accountId } = connection;
  const written = (health.breaks ??= await readBreaks(database, accountId));
  const fresh = lasting.filter((one) => written.get(breakSlot(one)) !== breakKey(one));
  const over = cleared.map(breakSlot).filter((slot) => written.has(slot));
  if (fresh.length === 0 && over.length === 0) return;
  await database.transaction().execute(async (trx) => {
    await lease.fence(trx, [connection.id]);
    await saveBreaks(trx, accountId, { lasting: fresh, cleared: over });
  });
  for (const one of fresh) written.set(breakSlot(one), breakKey(one));
  for (const slot of over) written.delete(slot);
}
