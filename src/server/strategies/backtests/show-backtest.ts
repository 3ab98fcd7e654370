import type { BacktestJob as Shown } from '#contract/strategies/backtests.ts';
import type { BacktestJob } from '#records/results/backtest-jobs.ts';

export function showBacktest(job: BacktestJob): Shown {
  return {
    id: job.id,
    strategy_id: job.strategyId,
    version_id: job.versionId,
    kind: job.kind,
    status: job.status,
    progress: job.progress,
    message: job.status === 'cancelled' ? CANCELLED : job.message,
    partial: job.partial as Shown['partial'],
    created_at: job.createdAt.toISOString(),
    started_at: job.startedAt?.toISOString() ?? null,
    finished_at: job.finishedAt?.toISOString() ?? null,
    result: job.result as Shown['result'],
  };
}

const CANCELLED = 'It was cancelled.';
