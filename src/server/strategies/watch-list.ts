import type { strategiesEndpoints } from '#contract/strategies/strategies.ts';
import {
  listWatchedStrategies,
  unwatchStrategy,
  watchStrategy,
} from '#records/strategies/watched-strategies.ts';
import type { Database } from '#records/postgres/database.ts';
import type { UserId } from '#units/identifiers.ts';
import type { Call } from '../http/call.ts';
import { notFound } from '../http/refusal.ts';

export const listWatched: Call<typeof strategiesEndpoints.listWatchedStrategies> = (
  { caller },
  { records },
) => answer(records.database, caller.userId);

export const watch: Call<typeof strategiesEndpoints.watchStrategy> = async (
  { params, caller: { userId } },
  { records: { database } },
) =>
  (await watchStrategy(database, { userId, strategyId: params.id })) ? answer(database, userId) : notFound();

export const unwatch: Call<typeof strategiesEndpoints.unwatchStrategy> = async (
  { params, caller: { userId } },
  { records: { database } },
) =>
  (await unwatchStrategy(database, { userId, strategyId: params.id }))
    ? answer(database, userId)
    : notFound();

async function answer(database: Database, userId: UserId) {
  return { strategies: [...(await listWatchedStrategies(database, userId))] };
}
