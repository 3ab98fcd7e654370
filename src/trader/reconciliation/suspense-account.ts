// What counts beside our books and is no deployment's: traded in the account by others, or short of what a deployment had
// sold before its broker took the purchase back; less what deployments gave up to it.
import type { Adjustment } from '#engine/market/adjustment.ts';
import type { Proposal } from '#records/adjustments/adjustments.ts';
import { findReceived } from '#records/execution/broker-inbox.ts';
import type { Transaction } from '#records/postgres/database.ts';
import { insertSuspenseEntry, type SuspenseEntry } from '#records/execution/fills.ts';
import type { ExecutionId, Symbol } from '#units/identifiers.ts';
import { instant } from '#units/instant.ts';
import { quantity } from '#units/quantity.ts';
import type { TradingContext } from '../trading-context.ts';

/** Of others: an execution in the units and at the time that it was told in, a difference as of now. */
export async function suspendExternalTrade(
  trx: Transaction,
  context: TradingContext,
  { id, accountId, answers, symbol, units, price }: Proposal,
): Promise<void> {
  const report = answers.execution === null ? null : await findReceived(trx, accountId, answers.execution);
  await suspend(trx, {
    kind: answers.execution === null ? 'difference' : 'external_trade',
    executionId: answers.execution ?? (id as ExecutionId),
    accountId,
    symbol,
    side: units < 0 ? 'sell' : 'buy',
    quantity: quantity(Math.abs(units)),
    price: price ?? context.marks.get(symbol as Symbol) ?? 0,
    at: report === null ? context.now : instant(report.at),
  });
}

/** The units that a deployment should give back and holds no more are what its account is short of, as of now. */
export async function suspendShortfall(
  trx: Transaction,
  { now: at }: TradingContext,
  { id, accountId }: Proposal,
  { symbol, undoes, books, shortfall }: Adjustment,
): Promise<void> {
  if (shortfall === undefined) return;
  const { price } = (undoes !== null && undoes.units > 0 ? undoes : books)!;
  await suspend(trx, {
    kind: 'shortfall',
    executionId: id as ExecutionId,
    accountId,
    symbol,
    side: 'sell',
    quantity: shortfall,
    price,
    at,
  });
}

/**
 * The other side of what a deployment gave up because it was traded by hand: now it is in its books, and of others no more.
 * Books and what is kept apart come to what they came to before.
 */
export async function releaseFromSuspense(
  trx: Transaction,
  { now: at }: TradingContext,
  { id, accountId, symbol, units, price }: Proposal,
): Promise<void> {
  await suspend(trx, {
    kind: 'released',
    executionId: id as ExecutionId,
    accountId,
    symbol,
    side: units < 0 ? 'buy' : 'sell',
    quantity: quantity(Math.abs(units)),
    price: price!,
    at,
  });
}

async function suspend(trx: Transaction, entry: SuspenseEntry): Promise<void> {
  if ((await insertSuspenseEntry(trx, entry)) === 'repeated')
    throw new Error(`${entry.kind} ${entry.executionId} is in suspense already`);
}
