import { useDeferredValue, useMemo } from 'react';
import type { Strategy, StrategyDetail, StrategyPerformance } from '#contract/strategies/strategies.ts';
import { fromMicro } from '#units/money.ts';
import type { ChartMark } from '../../kit/chart/scale/chart-marks.ts';
import { useSearchParams } from '../../kit/page/use-search-params.ts';
import { Change } from '../../kit/figure/change.tsx';
import { Hypothetical } from '../../kit/figure/hypothetical.tsx';
import { showAsOf, showDate, showMoney, showQuantity } from '../../kit/figure/show-figure.ts';
import { Stat } from '../../kit/figure/stat.tsx';
import type { Texture } from '../../kit/figure/texture.ts';
import { TextureKey } from '../../kit/figure/texture-key.tsx';
import { Surface } from '../../kit/page/surface.tsx';
import { EmptyState } from '../../kit/state/empty-state.tsx';
import { ErrorState } from '../../kit/state/error-state.tsx';
import { Skeleton } from '../../kit/state/skeleton.tsx';
import { MoneyChart } from '../../rehearsal/money-chart.tsx';
import { type MoneyLines, publishedLines, rehearsedLines } from '../../rehearsal/money-lines.ts';
import { RehearsalNotice } from '../../rehearsal/rehearsal-notice.tsx';
import { LimitFields, OwnAmount } from '../../rehearsal/terms-form.tsx';
import type { OwnTerms } from '../../rehearsal/use-own-terms.ts';
import type { RehearsalState } from '../../rehearsal/use-rehearsal.ts';
import { Capacity } from '../../strategies/capacity.tsx';
import { CaseList } from '../../strategies/case-list.tsx';
import { DeployNow } from '../../strategies/deploy-now.tsx';
import { outOfSample } from '../../strategies/evidence/out-of-sample.ts';
import { forAndAgainst } from '../../strategies/for-and-against.ts';
import { caseOf } from '../../strategies/record-case.ts';
import { useStrategyPerformance } from '../../strategies/strategy-queries.ts';
import { afterKnown } from '../../strategies/decider/after-known.ts';
import { useBenchmarkChoice } from '../../strategies/use-benchmark-choice.ts';

type Props = { readonly strategy: StrategyDetail; readonly own: OwnTerms; readonly state: RehearsalState };

/** My dollars in it, and what speaks for and against it. */
export function FirstStorey(props: Props) {
  const performance = useStrategyPerformance(props.strategy.id, 'day');
  // Thousands of days are drawn in small pieces, between which the page answers.
  const judged = useMemo(() => performance.data && afterKnown(performance.data), [performance.data]);
  const drawn = useDeferredValue(judged);
  if (performance.isError && !drawn) {
    return (
      <Surface aria-label="Performance History">
        <ErrorState title="Failed to load the performance history" onRetry={() => void performance.refetch()}>
          The strategy itself is not affected.
        </ErrorState>
      </Surface>
    );
  }
  if (drawn && drawn.labels.length < 2) {
    return <EmptyState title="No record yet">The record starts with the second test day.</EmptyState>;
  }
  return <Storey {...props} performance={drawn} />;
}

function Storey({
  strategy,
  own,
  state,
  performance,
}: Props & { performance: StrategyPerformance | undefined }) {
  const lines = useLines({ own, state, performance });
  const isOwn = state.at === 'done';
  return (
    <div className="grid gap-x-8 gap-y-8 lg:grid-cols-[minmax(0,1fr)_19rem]">
      <div className="order-2 min-w-0 lg:order-1">
        <Surface aria-label="Performance History">
          {lines && performance ? (
            <Chart strategy={strategy} performance={performance} lines={lines} />
          ) : (
            <Skeleton className="h-[600px]" />
          )}
        </Surface>
      </div>
      <aside className="contents lg:order-2 lg:block">
        <div className="order-1 grid content-start gap-5">
          <OwnAmount strategy={strategy} own={own} />
          <Outcome lines={lines} own={own} isOwn={isOwn} />
          <RehearsalNotice strategy={strategy} state={state} />
        </div>
        <div className="order-3 grid content-start gap-6 lg:mt-6">
          <div className="max-sm:hidden">
            <DeployNow strategy={strategy} wide />
          </div>
          {lines && performance ? (
            <CaseList {...forAndAgainst(strategy, caseOf(lines, performance.benchmark_name))} />
          ) : (
            <Skeleton className="h-56" />
          )}
          <Capacity strategy={strategy} />
          <details className="border-t pt-4">
            <summary className="text-sm font-medium hover:text-accent">Your limits</summary>
            <div className="mt-4">
              <LimitFields
                strategy={strategy}
                own={own}
                tradesWholeShares={state.at !== 'done' || state.rehearsal.tradesWholeShares}
              />
            </div>
          </details>
        </div>
      </aside>
    </div>
  );
}

/** Of the rehearsal once there is one; before it, and while it cannot be had, the published record in dollars. */
function useLines({
  own,
  state,
  performance,
}: Pick<Props, 'own' | 'state'> & { performance: StrategyPerformance | undefined }): MoneyLines | undefined {
  const rehearsal = state.at === 'done' && state.rehearsal.fills > 0 ? state.rehearsal : null;
  const amount = own.amount.ok ? fromMicro(own.amount.micro) : USUAL_DOLLARS;
  const { feePercent } = own;
  return useMemo(() => {
    if (rehearsal) return rehearsedLines(rehearsal);
    return performance && publishedLines(performance, { amount, feePercent });
  }, [rehearsal, performance, amount, feePercent]);
}

/** While no amount can be read. */
const USUAL_DOLLARS = 10_000;

function Outcome({ lines, own, isOwn }: { lines: MoneyLines | undefined; own: OwnTerms; isOwn: boolean }) {
  const first = lines?.data[0];
  const last = lines?.data.at(-1);
  return (
    <dl className="min-h-26">
      <Stat
        size="large"
        label={`${isOwn ? 'With your limits' : 'As published'}, since ${showDate(lines?.labels[0])}`}
        note={
          <span className="flex flex-wrap items-baseline gap-x-2">
            <Change value={first && last ? (last / first - 1) * 100 : null} decimals={1} />
            {own.feePercent > 0 && <span className="text-ink-faint">after the fee</span>}
            <Hypothetical />
          </span>
        }
      >
        {showMoney(last, { cents: 'never' })}
      </Stat>
    </dl>
  );
}

function Chart({
  strategy,
  performance,
  lines,
}: {
  strategy: Strategy;
  performance: StrategyPerformance;
  lines: MoneyLines;
}) {
  const benchmark = useBenchmarkChoice(strategy);
  const [, setParams] = useSearchParams();
  const marks = useMemo(() => marksOf(performance), [performance]);
  const texture: Texture = strategy.is_walk_forward ? 'walk-forward' : 'in-sample';
  const since = (lines.labels.at(-1) ?? '') > performance.committed_on;
  return (
    <MoneyChart
      title="Performance History"
      note={
        <span className="inline-flex flex-wrap items-center gap-x-4 gap-y-1">
          <TextureKey texture={texture} />
          {since && <TextureKey texture="out-of-sample" />}
          <span>{showAsOf(performance.as_of)}</span>
        </span>
      }
      lines={lines}
      benchmarkName={benchmark.name}
      benchmarks={benchmark.choice}
      other={benchmark.other}
      texture={texture}
      later={outOfSample(performance)}
      marks={marks}
      onMark={() =>
        setParams((present) => new URLSearchParams({ ...Object.fromEntries(present), tab: 'trades' }))
      }
      height={300}
    />
  );
}

/** The newest round trips as they were opened and closed. */
function marksOf({ recent_trades: trades }: StrategyPerformance): readonly ChartMark[] {
  return trades.flatMap((trade) => {
    const size = `${showQuantity(trade.quantity)} ${trade.symbol}`;
    const [opens, closes] = trade.side === 'long' ? (['buy', 'sell'] as const) : (['sell', 'buy'] as const);
    return [
      { id: `${trade.id} in`, day: trade.entry_date, side: opens, text: `Opened ${trade.side} ${size}` },
      { id: `${trade.id} out`, day: trade.exit_date, side: closes, text: `Closed ${trade.side} ${size}` },
    ];
  });
}
