import type { strategiesEndpoints } from '#contract/strategies.ts';
import { findPublicStrategy, listBacktestTrades } from '#records/strategies.ts';
import type { Call } from '../call.ts';
import { notFound } from '../refusal.ts';

export const listTrades: Call<typeof strategiesEndpoints.listStrategyTrades> = async (
  { params },
  { records },
) => {
  const strategy = await findPublicStrategy(records.database, params.id);
  if (!strategy) return notFound();
  return (await listBacktestTrades(records.database, strategy.backtestId)).toReversed();
};
