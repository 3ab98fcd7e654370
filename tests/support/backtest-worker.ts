import { backtestHandler, type BacktestOptions } from '#processes/results/backtest-jobs.ts';
import { type JobWorker, startJobWorker } from '#records/jobs/job-worker.ts';

/** A worker that carries out backtests in this process. */
export async function startBacktestWorker(
  options: BacktestOptions & { readonly onError: (error: unknown) => void },
): Promise<JobWorker> {
  const worker = await startJobWorker(options);
  await worker.work('backtests', { atOnce: 2, ofGroup: 1 }, backtestHandler(options));
  return worker;
}
