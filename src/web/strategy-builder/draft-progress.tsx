import type { BacktestJob } from '#contract/strategies/backtests.ts';
import { Button } from '../kit/control/button.tsx';
import { Notice } from '../kit/state/notice.tsx';
import { ProgressBar } from '../kit/state/progress-bar.tsx';
import { showPercent } from '../kit/figure/show-figure.ts';
import { Surface } from '../kit/page/surface.tsx';
import { useCancelBacktest } from './builder-queries.ts';

const JOB_NAMES = { backtest: 'Backtest', sweep: 'Sweep', attack: 'Attack', search: 'Search' } as const;

/** How far a running backtest, sweep or attack is, with the way to stop it. */
export function JobProgress({ job }: { job: BacktestJob }) {
  const cancel = useCancelBacktest(job.strategy_id);
  const name = JOB_NAMES[job.kind];
  const isWaiting = job.status === 'queued';
  return (
    <Surface aria-label={name}>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p role="status">
          {isWaiting ? `${name} queued` : `${name} running`}
          {job.message && <span className="text-ink-soft">: {job.message}</span>}
        </p>
        <Button
          size="small"
          variant="secondary"
          busy={cancel.isPending}
          busyLabel="Cancelling..."
          onClick={() => cancel.mutate(job.id)}
        >
          Cancel
        </Button>
      </div>
      <div className="mt-4">
        <ProgressBar
          label={`${name} progress`}
          value={Math.round(job.progress * 100)}
          max={100}
          text={showPercent(job.progress * 100, { decimals: 0 })}
        />
      </div>
    </Surface>
  );
}

/** A version without a result: what became of its backtest. */
export function NoResult({ job }: { job: BacktestJob | undefined }) {
  return (
    <Notice tone={job?.status === 'failed' ? 'failure' : 'info'} title={titleOf(job)}>
      {job?.message ?? 'Run a backtest to see how these rules would have done.'}
    </Notice>
  );
}

function titleOf(job: BacktestJob | undefined): string {
  if (job?.status === 'failed') return 'The backtest did not finish';
  if (job?.status === 'cancelled') return 'The backtest was cancelled';
  return 'This version has not been tested';
}
