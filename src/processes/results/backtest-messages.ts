import type { BacktestResult } from '#contract/strategies/backtests.ts';
import type { ClockReading } from '../wiring/world.ts';
import type { PartialRun } from '#results/backtest-draft.ts';
import type { BacktestJob } from '#records/results/backtest-jobs.ts';

/** What the thread of one backtest is started with. */
export type BacktestTask = {
  readonly job: Pick<BacktestJob, 'id' | 'versionId' | 'userId' | 'kind' | 'parameters' | 'search'>;
  readonly databaseUrl: string;
  /** The market's clock as the thread begins. */
  readonly clock: ClockReading;
  /** Where the market history is. */
  readonly dataDir: string;
  readonly feePercent: number;
};

/** Messages from the thread. `refused` is a sentence for the requester; errors it throws are for the log. */
export type FromBacktest =
  | {
      readonly type: 'reached';
      readonly progress: number;
      readonly message: string;
      readonly partial?: PartialRun;
    }
  | { readonly type: 'done'; readonly result: BacktestResult }
  | { readonly type: 'refused'; readonly message: string };
