import { ArrowLeft } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useParams } from 'react-router';
import type { StrategyDetail as DetailedStrategy } from '#contract/strategies/strategies.ts';
import { ButtonLink } from '../../kit/control/button-link.tsx';
import { Link } from '../../kit/control/link.tsx';
import { RiskScale } from '../../kit/figure/risk-scale.tsx';
import { PageTitle } from '../../kit/page/page-title.tsx';
import { usePageTitle } from '../../kit/page/use-page-title.ts';
import { ErrorState } from '../../kit/state/error-state.tsx';
import { LoadingText } from '../../kit/state/loading-text.tsx';
import { Skeleton } from '../../kit/state/skeleton.tsx';
import { useOwnTerms } from '../../rehearsal/use-own-terms.ts';
import { useRehearsal } from '../../rehearsal/use-rehearsal.ts';
import { ClaimSection } from '../../strategies/claim/claim-section.tsx';
import { DeployBar, OfferNote } from '../../strategies/deploy-now.tsx';
import { FiguresHiddenPage, isFiguresHidden } from '../../strategies/figures-hidden.tsx';
import { WatchSwitch } from '../../strategies/list/card-actions.tsx';
import { PriceNote } from '../../strategies/price-note.tsx';
import { StrategyBadges } from '../../strategies/strategy-badges.tsx';
import { isNotFound, useStrategy } from '../../strategies/strategy-queries.ts';
import { Fit } from '../../suitability/fit.tsx';
import { FirstStorey } from './first-storey.tsx';
import { QuantTabs } from './quant-tabs.tsx';

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
  return <Detail key={strategy.data.id} strategy={strategy.data} />;
}

/** First what a person needs to decide, then what a quant asks for. One rehearsal feeds both. */
function Detail({ strategy }: { strategy: DetailedStrategy }) {
  const own = useOwnTerms(strategy);
  const state = useRehearsal(strategy, own.terms, useFirstPaintIsOver());
  return (
    <article className="grid grid-cols-1 gap-8 max-sm:pb-16">
      <Heading strategy={strategy} />
      <OfferNote strategy={strategy} />
      <PriceNote note={strategy.price_note} />
      <FirstStorey strategy={strategy} own={own} state={state} />
      {strategy.claim && <ClaimSection id={strategy.id} claim={strategy.claim} />}
      <QuantTabs strategy={strategy} own={own} state={state} />
      <DeployBar strategy={strategy} />
    </article>
  );
}

function Heading({ strategy }: { strategy: DetailedStrategy }) {
  return (
    <div>
      <Link to="/marketplace" className="inline-flex items-center gap-2 text-sm text-ink-soft hover:text-ink">
        <ArrowLeft className="size-4" aria-hidden="true" />
        Back to Strategies
      </Link>
      <div className="mt-3">
        <PageTitle
          lead={strategy.shortDescription || strategy.description}
          actions={
            <div className="max-sm:-ml-2.5">
              <WatchSwitch strategy={strategy} />
            </div>
          }
        >
          {strategy.name}
        </PageTitle>
      </div>
      <div className="mt-3 flex flex-wrap items-center gap-x-5 gap-y-3">
        <RiskScale score={strategy.risk_score} />
        <Fit strategy={strategy} />
        <StrategyBadges strategy={strategy} />
      </div>
    </div>
  );
}

/** The prices of ten years wait until the page has shown what it has. */
function useFirstPaintIsOver(): boolean {
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setOver(true), AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  return isOver;
}

const AFTER_MS = 400;

function DetailSkeleton() {
  return (
    <div className="grid gap-8">
      <LoadingText>Loading strategy details...</LoadingText>
      <Skeleton className="h-12 w-2/3 max-w-md" />
      <Skeleton className="h-6 w-full max-w-xl" />
      <Skeleton className="h-[640px] rounded-surface" />
    </div>
  );
}
