import { randomUUID } from 'node:crypto';
import { BACKTESTS_QUEUED_MAX, type backtestsEndpoints } from '#contract/strategies/backtests.ts';
import { findNewestBacktest } from '#records/results/backtests.ts';
import { resultReason } from '#rules/reasons/result-reason.ts';
import { addBacktestJob } from '#records/results/backtest-jobs.ts';
import type { BacktestJobId } from '#units/identifiers.ts';
import type { Call } from '../../http/call.ts';
import { notFound, refuse } from '../../http/refusal.ts';
import { checkParameters } from './check-parameters.ts';
import { findOwnStrategy } from '../drafts/find-own-strategy.ts';
import { showBacktest } from './show-backtest.ts';

/** Records the request; a worker thread runs it. */
export const createBacktest: Call<typeof backtestsEndpoints.createBacktest> = async (
  { params, body, caller, repetitionId },
  { records },
) => {
  const strategy = await findOwnStrategy(records.database, params.id, caller);
  if (!strategy) return notFound();
  const { kind, parameters = [] } = body;
  const refused = checkParameters(strategy.definition, kind, parameters);
  if (refused) return refused;
  if (kind === 'attack' && (await findNewestBacktest(records.database, strategy.versionId)) === undefined)
    return refuse('out_of_range', resultReason('attack_without_result'), { field: 'kind' });
  const job = await addBacktestJob(
    records.database,
    {
      id: (repetitionId ?? randomUUID()) as BacktestJobId,
      strategyId: strategy.id,
      versionId: strategy.versionId,
      userId: caller.userId,
      kind,
      parameters,
    },
    BACKTESTS_QUEUED_MAX,
  );
  return job ? showBacktest(job) : refuse('too_many_requests', TOO_MANY, { retryAfterSeconds: 10 });
};

const TOO_MANY = `You already have ${BACKTESTS_QUEUED_MAX} backtests in the queue. Wait for one to finish, or cancel one.`;
