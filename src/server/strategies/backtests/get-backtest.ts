import type { backtestsEndpoints } from '#contract/strategies/backtests.ts';
import type { Call } from '../../http/call.ts';
import { notFound } from '../../http/refusal.ts';
import { findOwnJob } from '../drafts/find-own-strategy.ts';
import { showBacktest } from './show-backtest.ts';

export const getBacktest: Call<typeof backtestsEndpoints.getBacktest> = async (
  { params, caller },
  { records },
) => {
  const job = await findOwnJob(records.database, params.id, caller);
  return job ? showBacktest(job) : notFound();
};
