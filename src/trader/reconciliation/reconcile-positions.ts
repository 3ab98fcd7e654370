// Compares the account's positions with our books: after a gap, while an order is unconfirmed, and periodically.
import { transferEntry } from '#engine/adjustments/suspense-entry.ts';
import { breakUpdates, heldBySymbol } from '#engine/execution/reconciliation/break-updates.ts';
import {
  type AccountBook,
  isLastSessionProcessed,
} from '#engine/execution/reconciliation/external-position.ts';
import {
  type PositionReconciliation,
  reconcilePositions,
  type Transfer,
} from '#engine/execution/reconciliation/reconcile-positions.ts';
import { readHoldingsBeside, saveHoldingsBeside } from '#records/adjustments/holdings-beside.ts';
import { readBreaks, saveBreaks } from '#records/adjustments/reconciliation-breaks.ts';
import { findOpening } from '#records/cash/account-openings.ts';
import { lockAccountCash } from '#records/cash/cash-statements.ts';
import { listUnderWay } from '#records/execution/account-orders.ts';
import type { Symbol } from '#units/identifiers.ts';
import { fromQuantity } from '#units/quantity.ts';
import type { ActiveConnection } from '../connections/connection.ts';
import { brokerNow } from '../connections/broker-clock.ts';
import { answered } from '../connections/broker-unavailable.ts';
import type { TradingContext } from '../trading-context.ts';
import { readAccountBooks, readUntouchedBooks } from './account-books.ts';
import { bookAssignments } from './book-assignments.ts';
import { suspend } from './suspense-account.ts';
import { noteUnread } from './unread-rows.ts';

/** `listed`: see PositionSnapshot. */
export async function readPositions(
  context: TradingContext,
  active: ActiveConnection,
  listed: ReadonlySet<Symbol> = new Set(),
): Promise<void> {
  const { connection, known } = active;
  const { accountId } = connection;
  const held = await readHeld(context, active);
  await recallBeside(context, active);
  const before = known.health.seen.beside;
  const earlier = await readAccountBooks(context.database, accountId);
  const isAssigned = await bookAssignments(context, active, { held, books: earlier });
  const books = isAssigned ? await readAccountBooks(context.database, accountId) : earlier;
  const untouched = await readUntouchedBooks(context.database, accountId, [...held.keys()]);
  const isProcessed = (book: AccountBook) => isLastSessionProcessed(book, context.now);
  const result = reconcilePositions({
    held,
    books: books.filter(isProcessed),
    untouched: untouched.filter(isProcessed),
    traded: new Set(books.map(({ symbol }) => symbol)),
    underWay: await listUnderWay(context.database, accountId),
    listed,
    readAt: brokerNow(context, active.broker),
    listLagMs: active.broker.limits.listLagMs,
    seen: known.health.seen,
    unsure: known.health.unsure,
  });
  known.health = { ...known.health, seen: result.seen, isCompared: true };
  for (const { symbol, ours, external, theirs } of result.fresh) {
    const [inBooks, ofOthers, broker] = [ours, external, theirs].map(fromQuantity);
    context.logger.warn(
      { accountId, symbol, ours: inBooks, external: ofOthers, broker },
      'trader: the account holds something else than our books say; a person must look, nothing is traded for it',
    );
  }
  await recordBreaks(context, active, result);
  await recordTransfers(context, active, result.transferred);
  await recordBeside(context, active, before);
}

/**
 * What may be closed now, without comparing it with the books: between two looks a position may lag behind its fill more
 * than once, and would pass for a difference.
 */
export async function readHeld(
  context: TradingContext,
  active: ActiveConnection,
): Promise<ReadonlyMap<Symbol, number>> {
  const { connection, session, known } = active;
  const positions = answered('positions', await session.positions(connection.accountId));
  const held = heldBySymbol(positions.value);
  known.health = { ...known.health, held, heldAt: context.realNow() };
  await noteUnread(context, active, {
    lists: { positions: positions.unread },
    positioned: new Set(held.keys()),
  });
  return held;
}

/** From before a restart: with an order under way it cannot be seen. */
async function recallBeside(
  { database }: TradingContext,
  { connection, known }: ActiveConnection,
): Promise<void> {
  if (known.isBesideRead) return;
  const beside = await readHoldingsBeside(database, connection.accountId);
  known.health = { ...known.health, seen: { ...known.health.seen, beside } };
  known.isBesideRead = true;
}

async function recordBeside(
  { database, lease }: TradingContext,
  { connection, known }: ActiveConnection,
  before: ReadonlyMap<Symbol, number>,
): Promise<void> {
  const now = known.health.seen.beside;
  const changed = new Map([...now].filter(([symbol, units]) => units !== (before.get(symbol) ?? 0)));
  if (changed.size === 0) return;
  await database.transaction().execute(async (trx) => {
    await lease.fence(trx, [connection.id]);
    await saveHoldingsBeside(trx, connection.accountId, changed);
  });
}

/** A lasting break is written once, and again when it changes; a closed one is ended. */
async function recordBreaks(
  { database, lease }: TradingContext,
  { connection, known }: ActiveConnection,
  result: PositionReconciliation,
): Promise<void> {
  const { accountId } = connection;
  const written = (known.breaks ??= await readBreaks(database, accountId));
  const changed = breakUpdates(result, written);
  if (changed === null) return;
  await database.transaction().execute(async (trx) => {
    await lease.fence(trx, [connection.id]);
    await saveBreaks(trx, accountId, changed);
  });
  known.breaks = changed.written;
}

/** Not before the opening, which has all that is held then. Two connections to an account record a transfer once. */
async function recordTransfers(
  { database, lease, now: at }: TradingContext,
  { connection }: ActiveConnection,
  transferred: readonly Transfer[],
): Promise<void> {
  const { accountId } = connection;
  if (transferred.length === 0 || (await findOpening(database, accountId)) === null) return;
  await database.transaction().execute(async (trx) => {
    await lease.fence(trx, [connection.id]);
    await lockAccountCash(trx, accountId);
    const books = await readUntouchedBooks(trx, accountId, []);
    for (const transfer of transferred) {
      const external = books.find(({ symbol }) => symbol === transfer.symbol)?.external ?? 0;
      if (external === transfer.external) await suspend(trx, transferEntry(transfer, { accountId, at }));
    }
  });
}
