import { Search } from 'lucide-react';
import { useId } from 'react';
import { EmptyState } from '../kit/state/empty-state.tsx';
import { FiguresHidden, isFiguresHidden } from '../strategies/figures-hidden.tsx';
import { ErrorState } from '../kit/state/error-state.tsx';
import { Hypothetical } from '../kit/figure/hypothetical.tsx';
import { LoadingText } from '../kit/state/loading-text.tsx';
import { PageTitle } from '../kit/page/page-title.tsx';
import { Button } from '../kit/control/button.tsx';
import { useHasProvider } from '../call/installation.ts';
import { ButtonLink } from '../kit/control/button-link.tsx';
import { Select } from '../kit/control/select.tsx';
import { showCounted } from '../kit/figure/show-figure.ts';
import { TextInput } from '../kit/control/text-input.tsx';
import { usePageTitle } from '../kit/page/use-page-title.ts';
import {
  filterStrategies,
  MARKET_FILTERS,
  RISK_FILTERS,
  TYPE_FILTERS,
} from '../strategies/list/filter-strategies.ts';
import { StrategyCard } from '../strategies/list/strategy-card.tsx';
import { StrategyCardSkeleton } from '../strategies/list/strategy-card-skeleton.tsx';
import { SORTS, sortStrategies } from '../strategies/list/sort-strategies.ts';
import {
  EVERYTHING,
  type MarketplaceView,
  useMarketplaceView,
} from '../strategies/list/use-marketplace-view.ts';
import { Fit, fits, useOwnScore } from '../suitability/fit.tsx';
import { useStrategies } from '../strategies/strategy-queries.ts';

const GRID = 'grid gap-6 sm:grid-cols-2 lg:grid-cols-3';

export function Marketplace() {
  usePageTitle('AI Model Marketplace');
  const [view, change] = useMarketplaceView();
  const hasProvider = useHasProvider();
  return (
    <>
      <PageTitle
        actions={
          <ButtonLink to="/custom-strategies" variant="secondary">
            Build your own
          </ButtonLink>
        }
        lead={
          <>
            Every record below is a backtest: what the strategy would have done before anyone ran it with
            money, after costs
            {hasProvider && ' and, unless stated otherwise, before the performance fee'}. <Hypothetical />
          </>
        }
      >
        AI Model Marketplace
      </PageTitle>
      <Filters view={view} change={change} />
      <div className="mt-6">
        <Results view={view} clear={() => change(EVERYTHING)} />
      </div>
    </>
  );
}

function Filters({
  view,
  change,
}: {
  view: MarketplaceView;
  change: (part: Partial<MarketplaceView>) => void;
}) {
  const id = useId();
  const hasScore = useOwnScore() !== null;
  const selects = [
    { key: 'market', label: 'Market', options: MARKET_FILTERS },
    { key: 'risk', label: 'Risk', options: RISK_FILTERS },
    { key: 'type', label: 'Type', options: TYPE_FILTERS },
    { key: 'sort', label: 'Order', options: SORTS },
    ...(hasScore ? ([{ key: 'fit', label: 'Suitability', options: FITS }] as const) : []),
  ] as const;
  return (
    <search className="mt-8 grid gap-3">
      <TextInput
        type="search"
        name="search"
        aria-label="Search for strategies"
        placeholder="Search for strategies..."
        lead={<Search className="size-4" />}
        value={view.search}
        onChange={(event) => change({ search: event.target.value })}
      />
      <div className="grid grid-cols-2 gap-3 sm:flex sm:flex-wrap *:odd:last:col-span-2 sm:*:w-44">
        {selects.map((select) => (
          <Select
            key={select.key}
            id={`${id}-${select.key}`}
            name={select.key}
            aria-label={select.label}
            options={select.options}
            value={view[select.key]}
            onChange={(event) => change({ [select.key]: event.target.value })}
          />
        ))}
      </div>
    </search>
  );
}

const FITS = [
  { value: 'all', label: 'All scores' },
  { value: 'me', label: 'Fits my score' },
] as const;

function Results({ view, clear }: { view: MarketplaceView; clear: () => void }) {
  const own = useOwnScore();
  const { data: strategies, isPending, isError, error } = useStrategies();
  if (isPending) {
    return (
      <>
        <LoadingText>Loading strategies...</LoadingText>
        <div className={`mt-4 ${GRID}`}>
          {[1, 2, 3, 4, 5, 6].map((place) => (
            <StrategyCardSkeleton key={place} />
          ))}
        </div>
      </>
    );
  }
  if (isFiguresHidden(error)) return <FiguresHidden error={error} />;
  if (isError) {
    return (
      <ErrorState
        title="Failed to load strategies. Please try again later."
        onRetry={() => window.location.reload()}
      />
    );
  }
  const open = view.fit === 'me' && own !== null ? strategies.filter((one) => fits(one, own)) : strategies;
  const found = sortStrategies(filterStrategies(open, view), view.sort);
  return (
    <>
      <p role="status" className="figures text-sm text-ink-faint">
        {found.length === strategies.length
          ? showCounted(found.length, 'strategy', 'strategies')
          : `${found.length} of ${showCounted(strategies.length, 'strategy', 'strategies')}`}
      </p>
      <h2 className="sr-only">Strategies</h2>
      {found.length === 0 ? (
        <div className="mt-4">
          <EmptyState
            title="No strategies match your criteria"
            action={
              <Button variant="secondary" onClick={clear}>
                Clear filters
              </Button>
            }
          >
            Try adjusting your filters or search term
          </EmptyState>
        </div>
      ) : (
        <ul className={`mt-4 ${GRID}`}>
          {found.map((strategy) => (
            <li key={strategy.id}>
              <StrategyCard strategy={strategy} fit={<Fit strategy={strategy} />} />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
