import type { strategiesEndpoints } from '#contract/strategies.ts';
import { findPublicStrategy } from '#records/strategies.ts';
import type { Call } from '../call.ts';
import { notFound } from '../refusal.ts';
import { resultSeries } from './result-series.ts';
import { showStrategy } from './show-strategy.ts';

export const getStrategy: Call<typeof strategiesEndpoints.getStrategy> = async ({ params }, { records }) => {
  const strategy = await findPublicStrategy(records.database, params.id);
  if (!strategy) return notFound();
  const series = await resultSeries(records.database, [strategy.backtestId]);
  return showStrategy(strategy, series.get(strategy.backtestId)!);
};
