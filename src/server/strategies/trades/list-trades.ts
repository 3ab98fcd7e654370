import type { strategiesEndpoints } from '#contract/strategies/strategies.ts';
import { listBacktestTrades } from '#records/strategies/strategies.ts';
import type { Call } from '../../http/call.ts';
import { isRefused } from '../../http/refusal.ts';
import { findShownStrategy } from '../find-shown-strategy.ts';

export const listTrades: Call<typeof strategiesEndpoints.listStrategyTrades> = async (
  asked,
  dependencies,
) => {
  const { records } = dependencies;
  const strategy = await findShownStrategy(dependencies, asked);
  if (isRefused(strategy)) return strategy;
  return (await listBacktestTrades(records.database, strategy.backtestId)).toReversed();
};
