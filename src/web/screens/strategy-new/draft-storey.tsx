import { useMemo } from 'react';
import type { StrategyDetail, StrategyPerformance } from '#contract/strategies/strategies.ts';
import { Button } from '../../kit/control/button.tsx';
import { Change } from '../../kit/figure/change.tsx';
import { Hypothetical } from '../../kit/figure/hypothetical.tsx';
import { showCounted, showDate, showProbability } from '../../kit/figure/show-figure.ts';
import { Stat } from '../../kit/figure/stat.tsx';
import { Surface } from '../../kit/page/surface.tsx';
import { Badge } from '../../kit/state/badge.tsx';
import { LoadingText } from '../../kit/state/loading-text.tsx';
import { Notice } from '../../kit/state/notice.tsx';
import { Skeleton } from '../../kit/state/skeleton.tsx';
import { CaseList } from '../../strategies/case-list.tsx';
import { GRADE_TONES, GRADE_WORDS } from '../../strategies/evidence/evidence-words.ts';
import { forAndAgainst } from '../../strategies/for-and-against.ts';
import { caseOf } from '../../strategies/record-case.ts';
import { StrategyChart } from '../../strategies/strategy-chart.tsx';
import { useDraftPerformance, useDraftResult } from '../../strategy-builder/builder-queries.ts';
import { NoResult } from '../../strategy-builder/draft-progress.tsx';
import type { DraftState } from '../../strategy-builder/draft-state.ts';
import { NextSteps } from './next-step.tsx';
import { RunningChart } from './running-chart.tsx';

/** What the rules did on past prices, how far to believe it, and what to do next. */
export function DraftStorey({ state }: { state: DraftState }) {
  const { draft, ledger, isTested } = state;
  const result = useDraftResult(draft, ledger, isTested);
  const performance = useDraftPerformance(draft, isTested);
  const found = isTested && result.data && performance.data ? { ...result, strategy: result.data } : null;
  const isFailed = isTested && (result.isError || performance.isError);
  const retry = () => void Promise.all([result.refetch(), performance.refetch()]);
  return (
    <div className="grid gap-8 lg:grid-cols-[minmax(0,1fr)_21rem]">
      <div className="order-2 min-w-0 lg:order-1">
        <Surface
          aria-label="Performance History"
          className="grid min-h-[53rem] sm:min-h-[44.5rem] grid-cols-1 content-start"
        >
          {isFailed ? (
            <LoadFailed retry={retry} />
          ) : found ? (
            <StrategyChart performance={performance.data!} />
          ) : (
            <NoChart state={state} />
          )}
        </Surface>
      </div>
      <aside className="order-1 grid content-start gap-6 lg:order-2">
        <KeyFigures found={found && { strategy: found.strategy, performance: performance.data! }} />
        <NextSteps state={state} />
        {found && <ForAndAgainst strategy={found.strategy} performance={performance.data!} />}
      </aside>
    </div>
  );
}

/** The whole return and, at equal weight, the chance that it is more than luck. */
function KeyFigures({
  found,
}: {
  /** Null until there is a result; its place is kept. */
  found: { strategy: StrategyDetail; performance: StrategyPerformance } | null;
}) {
  const evidence = found?.strategy.evidence;
  return (
    <div className="min-h-34">
      <dl className="grid grid-cols-2 gap-4">
        <Stat
          size="large"
          label={found ? `Since ${showDate(found.performance.labels[0])}` : 'Return'}
          note={found && <Hypothetical />}
        >
          <Change value={found?.strategy.backtest_results.return_inception} decimals={1} />
        </Stat>
        <Stat
          size="large"
          label="Chance of beating luck"
          note={evidence && `Counting ${showCounted(evidence.family.counted, 'try', 'tries')}`}
        >
          {showProbability(evidence?.deflated_sharpe ?? null)}
        </Stat>
      </dl>
      {evidence && (
        <p className="mt-3">
          <Badge tone={GRADE_TONES[evidence.grade]}>Evidence: {GRADE_WORDS[evidence.grade]}</Badge>
        </p>
      )}
    </div>
  );
}

function ForAndAgainst({
  strategy,
  performance,
}: {
  strategy: StrategyDetail;
  performance: StrategyPerformance;
}) {
  const { min_investment: dollars } = strategy;
  const sides = useMemo(() => {
    const { labels, data, benchmark, benchmark_name } = performance;
    if (data.length < 2) return null;
    const scale = (value: number) => (value * dollars) / data[0]!;
    const lines = {
      labels,
      data: data.map(scale),
      benchmark: benchmark.map((value) => (value === null ? null : scale(value))),
    };
    return forAndAgainst(strategy, caseOf(lines, benchmark_name));
  }, [strategy, performance, dollars]);
  return sides && <CaseList {...sides} />;
}

function NoChart({ state: { jobs, isTested, running, backtest } }: { state: DraftState }) {
  if (jobs === undefined || isTested)
    return (
      <>
        <LoadingText>Loading the result...</LoadingText>
        <Skeleton className="h-[30rem]" />
      </>
    );
  if (running) return <RunningChart job={running} />;
  return <NoResult job={backtest} />;
}

function LoadFailed({ retry }: { retry: () => void }) {
  return (
    <Notice
      tone="failure"
      title="The result could not be loaded"
      action={
        <Button size="small" variant="secondary" onClick={retry}>
          Try Again
        </Button>
      }
    >
      Nothing is lost. Please try again shortly.
    </Notice>
  );
}
