import type { backtestsEndpoints } from '#contract/strategies/backtests.ts';
import { listBacktestJobs } from '#records/results/backtest-jobs.ts';
import type { Call } from '../../http/call.ts';
import { notFound } from '../../http/refusal.ts';
import { findOwnStrategy } from '../drafts/find-own-strategy.ts';
import { showBacktest } from './show-backtest.ts';

export const listBacktests: Call<typeof backtestsEndpoints.listBacktests> = async (
  { params, caller },
  { records },
) => {
  const strategy = await findOwnStrategy(records.database, params.id, caller);
  if (!strategy) return notFound();
  const jobs = await listBacktestJobs(records.database, strategy.id);
  return { results: jobs.map(showBacktest) };
};
