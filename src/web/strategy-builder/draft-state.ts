// Where a draft is: what runs, what its version has been through, and how many jobs have ended.
import type { BacktestJob, SearchResult } from '#contract/strategies/backtests.ts';
import type { StrategyDraft } from '#contract/strategies/strategy-drafts.ts';
import { isRunning, useBacktests, useSearchOf } from './builder-queries.ts';

export type DraftState = {
  readonly draft: StrategyDraft;
  /** Newest first; undefined until they are loaded. */
  readonly jobs: readonly BacktestJob[] | undefined;
  readonly isError: boolean;
  readonly running: BacktestJob | undefined;
  /** The newest backtest and attack of this version. */
  readonly backtest: BacktestJob | undefined;
  readonly attack: BacktestJob | undefined;
  /** The newest sweep of any version. */
  readonly sweep: BacktestJob | undefined;
  readonly search: SearchResult | undefined;
  /** Whether there is a result of this version. */
  readonly isTested: boolean;
  /** Changes with each job that ended: evidence counts them. */
  readonly ledger: string;
};

export function useDraftState(draft: StrategyDraft): DraftState {
  const { data: jobs, isError } = useBacktests(draft.id);
  const search = useSearchOf(draft, jobs);
  const newest = (asked: BacktestJob['kind']) =>
    jobs?.find(({ kind, version_id }) => kind === asked && version_id === draft.version_id);
  const backtest = newest('backtest');
  return {
    draft,
    jobs,
    isError,
    running: jobs?.find(isRunning),
    backtest,
    attack: newest('attack'),
    sweep: jobs?.find(({ kind, status }) => kind === 'sweep' && status === 'done'),
    search,
    isTested: backtest?.status === 'done' || search !== undefined,
    ledger: String(jobs?.filter(({ status }) => status === 'done').length ?? 0),
  };
}
