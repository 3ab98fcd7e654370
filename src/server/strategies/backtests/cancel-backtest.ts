import type { backtestsEndpoints } from '#contract/strategies/backtests.ts';
import { cancelBacktestJob } from '#records/results/backtest-jobs.ts';
import type { Call } from '../../http/call.ts';
import { notFound } from '../../http/refusal.ts';
import { findOwnJob } from '../drafts/find-own-strategy.ts';
import { showBacktest } from './show-backtest.ts';

export const cancelBacktest: Call<typeof backtestsEndpoints.cancelBacktest> = async (
  { params, caller },
  { records },
) => {
  const job = await findOwnJob(records.database, params.id, caller);
  if (!job) return notFound();
  await cancelBacktestJob(records.database, job.id);
  const cancelled = await findOwnJob(records.database, job.id, caller);
  return cancelled ? showBacktest(cancelled) : notFound();
};
