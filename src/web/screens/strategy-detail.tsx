import { ArrowLeft } from 'lucide-react';
import { useDeferredValue } from 'react';
import { useParams } from 'react-router';
import type {
  Strategy,
  StrategyDetail as DetailedStrategy,
  StrategyPerformance,
} from '#contract/strategies/strategies.ts';
import { Link } from '../kit/control/link.tsx';
import { ButtonLink } from '../kit/control/button-link.tsx';
import { FiguresHiddenPage, isFiguresHidden } from '../strategies/figures-hidden.tsx';
import { ErrorState } from '../kit/state/error-state.tsx';
import { HeatTable } from '../kit/figure/heat-table.tsx';
import { Hypothetical } from '../kit/figure/hypothetical.tsx';
import { LoadingText } from '../kit/state/loading-text.tsx';
import { PageTitle } from '../kit/page/page-title.tsx';
import { RiskScale } from '../kit/figure/risk-scale.tsx';
import { SectionTitle } from '../kit/page/section-title.tsx';
import { showDate, showMoney } from '../kit/figure/show-figure.ts';
import { Skeleton } from '../kit/state/skeleton.tsx';
import { Surface } from '../kit/page/surface.tsx';
import { usePageTitle } from '../kit/page/use-page-title.ts';
import { RehearsalSection } from '../rehearsal/rehearsal-section.tsx';
import { DeployNow } from '../strategies/deploy-now.tsx';
import { AllMeasures } from '../strategies/evidence/all-measures.tsx';
import { EvidencePanel } from '../strategies/evidence/evidence-panel.tsx';
import { EvidenceStrip } from '../strategies/evidence/evidence-strip.tsx';
import { ModelSection } from '../strategies/model/model-section.tsx';
import { PriceNote } from '../strategies/price-note.tsx';
import { RecentTrades } from '../strategies/recent-trades.tsx';
import { StrategyBadges } from '../strategies/strategy-badges.tsx';
import { StrategyChart } from '../strategies/strategy-chart.tsx';
import { StrategyHeadlines } from '../strategies/strategy-headlines.tsx';
import { StrategyPanels } from '../strategies/strategy-panels.tsx';
import { isNotFound, useStrategy, useStrategyPerformance } from '../strategies/strategy-queries.ts';
import { Fit } from '../suitability/fit.tsx';
import { TradeLogLink } from '../strategies/trade-log-link.tsx';

export function StrategyDetail() {
  const { id = '' } = useParams();
  const strategy = useStrategy(id);
  usePageTitle(strategy.data?.name ?? 'Strategy');
  if (strategy.isPending) return <DetailSkeleton />;
  if (isFiguresHidden(strategy.error)) return <FiguresHiddenPage error={strategy.error} />;
  if (strategy.isError) {
    return (
      <ErrorState
        heading="h1"
        title={isNotFound(strategy.error) ? 'Strategy not found' : 'Failed to load strategy details'}
        {...(isNotFound(strategy.error) ? {} : { onRetry: () => void strategy.refetch() })}
        action={<ButtonLink to="/marketplace">Back to Strategies</ButtonLink>}
      />
    );
  }
  return <Detail strategy={strategy.data} />;
}

function Detail({ strategy }: { strategy: DetailedStrategy }) {
  return (
    <article className="grid grid-cols-1 gap-10">
      <Heading strategy={strategy} />
      <PriceNote note={strategy.price_note} />
      <StrategyHeadlines strategy={strategy} />
      <Record strategy={strategy} />
      <div className="flex flex-wrap items-center justify-between gap-6 border-t pt-8">
        <div>
          <p className="font-serif text-lg">Run {strategy.name} in your own account</p>
          <p className="mt-1 text-ink-soft">
            From {showMoney(strategy.min_investment, { cents: 'auto' })}. You set the amount and the limits,
            and you can pause at any time.
          </p>
        </div>
        <DeployNow strategyId={strategy.id} />
      </div>
    </article>
  );
}

function Heading({ strategy }: { strategy: Strategy }) {
  return (
    <div>
      <Link to="/marketplace" className="inline-flex items-center gap-2 text-sm text-ink-soft hover:text-ink">
        <ArrowLeft className="size-4" aria-hidden="true" />
        Back to Strategies
      </Link>
      <div className="mt-5">
        <PageTitle lead={strategy.description} actions={<DeployNow strategyId={strategy.id} />}>
          {strategy.name}
        </PageTitle>
      </div>
      <div className="mt-5 flex flex-wrap items-center gap-x-5 gap-y-3">
        <RiskScale score={strategy.risk_score} />
        <Fit strategy={strategy} />
        <StrategyBadges strategy={strategy} />
      </div>
    </div>
  );
}

/** Everything that needs the performance series; it fails by itself, without the rest of the page. */
function Record({ strategy }: { strategy: Strategy }) {
  const performance = useStrategyPerformance(strategy.id, 'day');
  // Thousands of days are drawn in small pieces, between which the page answers.
  const drawn = useDeferredValue(performance.data);
  // Paints the headline before the content below it.
  const isBelowDue = useDeferredValue(true, false);
  return (
    <>
      <Surface aria-label="Performance History">
        {!performance.isError && !drawn && <ChartSkeleton />}
        {performance.isError && !drawn && (
          <ErrorState
            title="Failed to load the performance history"
            onRetry={() => void performance.refetch()}
          >
            The strategy itself is not affected.
          </ErrorState>
        )}
        {drawn && <StrategyChart performance={drawn} />}
      </Surface>
      {isBelowDue && (
        <>
          <RehearsalSection strategy={strategy} />
          <StrategyPanels strategy={strategy} />
          <EvidencePanel evidence={strategy.evidence} />
          <EvidenceStrip strategy={strategy} />
          <div>
            <ModelSection strategy={strategy} />
            <AllMeasures strategy={strategy} />
          </div>
        </>
      )}
      {drawn && <BacktestResults strategy={strategy} performance={drawn} />}
    </>
  );
}

function BacktestResults({
  strategy,
  performance,
}: {
  strategy: Strategy;
  performance: StrategyPerformance;
}) {
  return (
    <section aria-labelledby="backtest-results" className="grid grid-cols-1 gap-10">
      <SectionTitle id="backtest-results" note="Monthly returns and the most recent hypothetical trades.">
        Backtest Results
      </SectionTitle>
      <div>
        <div className="mb-3 flex items-baseline justify-between gap-4">
          <h3 className="text-base font-medium">
            Monthly Returns <span className="text-sm font-normal text-ink-faint">in percent</span>
          </h3>
          <Hypothetical />
        </div>
        <HeatTable
          caption="Monthly Returns"
          years={performance.monthly_returns}
          outlinedFrom={performance.committed_on.slice(0, 7)}
        />
        <p className="mt-2 text-xs text-ink-faint">
          Outlined months are out-of-sample: the rules were fixed on {showDate(performance.committed_on)}.
        </p>
      </div>
      <div>
        <div className="mb-3 flex flex-wrap items-center justify-between gap-4">
          <h3 className="text-base font-medium">Recent Trades</h3>
          <TradeLogLink strategy={strategy} />
        </div>
        <RecentTrades trades={performance.recent_trades} committedOn={performance.committed_on} />
      </div>
    </section>
  );
}

function DetailSkeleton() {
  return (
    <div className="grid gap-8">
      <LoadingText>Loading strategy details...</LoadingText>
      <Skeleton className="h-12 w-2/3 max-w-md" />
      <Skeleton className="h-6 w-full max-w-xl" />
      <Skeleton className="h-28" />
      <Skeleton className="h-[520px] rounded-surface" />
    </div>
  );
}

function ChartSkeleton() {
  return <Skeleton className="h-[536px]" />;
}
