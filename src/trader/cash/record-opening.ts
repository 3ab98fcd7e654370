// Records what an account holds before the first order of ours leaves for it.
import { accountOpening, type AccountOpening, type LostFill } from '#engine/cash/account-opening.ts';
import { isOurId } from '#engine/execution/reconciliation/lost-order.ts';
import { rowSubject, type UnreadRow } from '#engine/execution/reconciliation/unread-rows.ts';
import type { BrokerExecution } from '#ports/broker.ts';
import { receiveActivities } from '#records/cash/cash-activities.ts';
import { cashMovedIn, findOpening, insertOpening } from '#records/cash/account-openings.ts';
import { loadUnreadFacts } from '#records/execution/unread-rows.ts';
import type { BrokerAccountId } from '#units/identifiers.ts';
import { micro, notional } from '#units/money.ts';
import { quantity } from '#units/quantity.ts';
import { askActivities } from '../reconciliation/book-activities.ts';
import { executionsKeptSince } from '../connections/broker-clock.ts';
import { answered, valueOf } from '../connections/broker-unavailable.ts';
import type { ActiveConnection } from '../connections/connection.ts';
import type { TradingContext } from '../trading-context.ts';

/** False while the account changes, or shows rows that cannot be read; throws while the broker does not answer. Nothing is sent to it until it is true. */
export async function hasOpening(context: TradingContext, active: ActiveConnection): Promise<boolean> {
  const { connection, known } = active;
  if (known.isOpened) return true;
  const { database, lease } = context;
  if ((await findOpening(database, connection.accountId)) === null) {
    const listedBefore = await askActivities(context, active, context.now);
    const opening = await readOpening(context, active);
    if (opening === null) return false;
    // What this day has moved so far is in the cash.
    const listed = (await askActivities(context, active, context.now)) ?? [];
    if (listed.length !== (listedBefore?.length ?? 0)) return false;
    await database.transaction().execute(async (trx) => {
      await lease.fence(trx, [connection.id]);
      await insertOpening(trx, { id: connection.accountId, connection: connection.id }, opening);
      await receiveActivities(trx, connection.accountId, listed, { as: 'opening', at: opening.at });
    });
  }
  known.isOpened = true;
  return true;
}

async function readOpening(
  context: TradingContext,
  { connection: { accountId, isUnsettled }, session, broker }: ActiveConnection,
): Promise<AccountOpening | null> {
  const { database, now } = context;
  const booked = await cashMovedIn(database, accountId);
  const { value: before } = answered('positions', await session.positions(accountId));
  const { value: executions } = answered(
    'executions',
    await session.executions(accountId, executionsKeptSince(context, broker)),
  );
  const lost = isUnsettled ? executions.flatMap((one) => lostFill(one, context) ?? []) : [];
  const { cash, currency } = valueOf('cash', await session.cash(accountId));
  const { value: after, unread } = answered('positions', await session.positions(accountId));
  if (await hidesHolding(context, accountId, unread)) return null;
  return accountOpening({ before, after, executions, lost, cash, currency, now, booked });
}

/** What is held when the first order leaves, and was not read, would never be in our books. */
async function hidesHolding(
  { database }: TradingContext,
  accountId: BrokerAccountId,
  unread: readonly UnreadRow[],
): Promise<boolean> {
  const open = unread.filter(({ instrument }) => instrument.type !== 'not_listed');
  if (open.length === 0) return false;
  const { ignored } = await loadUnreadFacts(database, accountId, open);
  return open.some((row) => !ignored.has(rowSubject(row)));
}

/**
 * Of an order of ours. Money of other currencies, and of instruments that settle daily, cannot be told from the fill alone: it
 * stays in the opening, and the difference is for a person.
 */
function lostFill(execution: BrokerExecution, { instruments }: TradingContext): LostFill | null {
  const { executionId, clientOrderId, symbol, side, price, commission } = execution;
  const instrument = symbol === null ? undefined : instruments.get(symbol);
  if (!isOurId(clientOrderId) || instrument === undefined) return null;
  const units = quantity(side === 'buy' ? execution.quantity : -execution.quantity);
  const { settlement, currency, multiplier } = instrument;
  const paid = settlement === 'cash' && currency === 'USD' ? -notional(units, price, multiplier) : 0;
  return { executionId, symbol: instrument.symbol, units, moved: micro(paid - (commission ?? 0)) };
}
