import type { Strategy, strategiesEndpoints, StrategyFilters } from '#contract/strategies/strategies.ts';
import { listPublishedStrategies } from '#records/strategies/strategies.ts';
import type { Call } from '../http/call.ts';
import type { Dependencies } from '../http/dependencies.ts';
import { isWanted } from './is-wanted.ts';
import { resultSeries } from './result-series.ts';
import { showStrategy } from './show-strategy.ts';

export const listStrategies: Call<typeof strategiesEndpoints.listStrategies> = ({ query }, dependencies) =>
  list(query, dependencies);

export const filterStrategies: Call<typeof strategiesEndpoints.filterStrategies> = ({ body }, dependencies) =>
  list(body, dependencies);

async function list(
  filters: StrategyFilters,
  { records, config: { installation } }: Dependencies,
): Promise<Strategy[]> {
  const all = await listPublishedStrategies(records.database);
  const wanted = all.filter((strategy) => isWanted(strategy, filters));
  const series = await resultSeries(
    records.database,
    wanted.map(({ backtestId }) => backtestId),
  );
  return wanted.map((strategy) => showStrategy(strategy, series.get(strategy.backtestId)!, installation));
}
