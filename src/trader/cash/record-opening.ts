// Records what an account holds before the first order of ours leaves for it.
import { accountOpening, type AccountOpening } from '#engine/cash/account-opening.ts';
import { receiveActivities } from '#records/cash/cash-activities.ts';
import { cashMovedIn, findOpening, insertOpening } from '#records/cash/account-openings.ts';
import { askActivities } from '../reconciliation/book-activities.ts';
import { executionsKeptSince } from '../connections/broker-clock.ts';
import { valueOf } from '../connections/broker-unavailable.ts';
import type { ActiveConnection } from '../connections/connection.ts';
import type { TradingContext } from '../trading-context.ts';

/** False while the account changes; throws while the broker does not answer. Nothing is sent to it until it is true. */
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
  { connection: { accountId }, session, broker }: ActiveConnection,
): Promise<AccountOpening | null> {
  const { database, now } = context;
  const booked = await cashMovedIn(database, accountId);
  const before = valueOf('positions', await session.positions(accountId));
  const kept = await session.executions(accountId, executionsKeptSince(context, broker));
  const executions = valueOf('executions', kept);
  const { cash, currency } = valueOf('cash', await session.cash(accountId));
  const after = valueOf('positions', await session.positions(accountId));
  return accountOpening({ before, after, executions, cash, currency, now, booked });
}
