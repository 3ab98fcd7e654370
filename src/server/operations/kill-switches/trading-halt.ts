import { randomUUID } from 'node:crypto';
import type { operationsEndpoints } from '#contract/operations/operations.ts';
import type { TradingHalt } from '#contract/operations/kill-switch.ts';
import { actAs } from '#records/operations/audit-log.ts';
import type { Database } from '#records/postgres/database.ts';
import { findOwnHalt, liftOwnHalt, setOwnHalt } from '#records/operations/kill-switches.ts';
import type { UserId } from '#units/identifiers.ts';
import type { Call } from '../../http/call.ts';

/** Each client's switch for all their own trading. */
export const getTradingHalt: Call<typeof operationsEndpoints.getTradingHalt> = (
  { caller: { userId } },
  { records },
) => showOwnHalt(records.database, userId);

export const haltTrading: Call<typeof operationsEndpoints.haltTrading> = async (
  { body, caller: { userId } },
  dependencies,
) => {
  const { database } = dependencies.records;
  const actor = `client:${userId}`;
  await database.transaction().execute(async (trx) => {
    await actAs(trx, actor);
    await setOwnHalt(trx, { id: randomUUID(), user: userId, cancelsWorking: body.cancels_orders });
  });
  return showOwnHalt(database, userId);
};

export const liftTradingHalt: Call<typeof operationsEndpoints.liftTradingHalt> = async (
  { caller: { userId } },
  dependencies,
) => {
  const { database } = dependencies.records;
  const actor = `client:${userId}`;
  await database.transaction().execute(async (trx) => {
    await actAs(trx, actor);
    await liftOwnHalt(trx, userId);
  });
  return showOwnHalt(database, userId);
};

async function showOwnHalt(database: Database, userId: UserId): Promise<TradingHalt> {
  const halt = await findOwnHalt(database, userId);
  return {
    is_on: halt !== undefined,
    cancels_orders: halt?.cancelsWorking ?? false,
    since: halt?.setAt.toISOString() ?? null,
  };
}
