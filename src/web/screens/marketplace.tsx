import { Search, SlidersHorizontal } from 'lucide-react';
import { type ReactNode, useDeferredValue, useId, useState } from 'react';
import type { Strategy } from '#contract/strategies/strategies.ts';
import type { RiskScore } from '#rules/suitability/risk-class.ts';
import { classNames } from '../kit/class-names.ts';
import { EmptyState } from '../kit/state/empty-state.tsx';
import { FiguresHidden, isFiguresHidden } from '../strategies/figures-hidden.tsx';
import { ErrorState } from '../kit/state/error-state.tsx';
import { Hypothetical } from '../kit/figure/hypothetical.tsx';
import { LoadingText } from '../kit/state/loading-text.tsx';
import { PageTitle } from '../kit/page/page-title.tsx';
import { Button } from '../kit/control/button.tsx';
import { useHasProvider } from '../call/installation.ts';
import { ButtonLink } from '../kit/control/button-link.tsx';
import { SectionTitle } from '../kit/page/section-title.tsx';
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
import { CardActions } from '../strategies/list/card-actions.tsx';
import { COMPARED_MAX, ComparePanel } from '../strategies/list/compare-panel.tsx';
import { onShelves, type Purpose, SHELVES } from '../strategies/list/purpose.ts';
import { useWatchList } from '../strategies/list/watch-list-queries.ts';
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
/** On a phone a shelf is one row to swipe through, the next card in sight. */
const SHELF_ROW =
  'max-sm:relative max-sm:auto-cols-[86%] max-sm:grid-flow-col max-sm:gap-4 max-sm:overflow-x-auto max-sm:snap-x max-sm:snap-mandatory max-sm:-mx-4 max-sm:px-4 max-sm:scroll-px-4 max-sm:pb-2';

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
        <Results view={view} change={change} clear={() => change(EVERYTHING)} />
      </div>
    </>
  );
}

type Narrowing = {
  readonly view: MarketplaceView;
  readonly change: (part: Partial<MarketplaceView>) => void;
};

function Filters({ view, change }: Narrowing) {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  // The document was written without the address that it is read at: its first drawing knows of none.
  const chosen = useDeferredValue(FILTERS.filter((key) => view[key] !== EVERYTHING[key]).length, 0);
  return (
    <search className="mt-8 grid gap-3">
      <div className="grid grid-cols-[minmax(0,1fr)_auto] gap-3 sm:grid-cols-1">
        <TextInput
          type="search"
          name="search"
          aria-label="Search for strategies"
          placeholder="Search for strategies..."
          lead={<Search className="size-4" />}
          value={view.search}
          onChange={(event) => change({ search: event.target.value })}
        />
        {/* On a phone the first strategy comes before what narrows them. */}
        <Button
          variant="secondary"
          className="max-sm:h-11 sm:hidden"
          aria-expanded={isOpen}
          aria-controls={`${id}-fields`}
          onClick={() => setOpen(!isOpen)}
        >
          <SlidersHorizontal className="size-4" aria-hidden="true" />
          {chosen === 0 ? 'Filters' : `Filters, ${chosen}`}
        </Button>
      </div>
      <div
        id={`${id}-fields`}
        className={classNames(
          'grid grid-cols-2 gap-3 sm:flex sm:flex-wrap *:odd:last:col-span-2 sm:*:w-44',
          !isOpen && 'max-sm:hidden',
        )}
      >
        <Fields view={view} change={change} />
      </div>
    </search>
  );
}

function Fields({ view, change }: Narrowing) {
  const id = useId();
  const hasScore = useOwnScore() !== null;
  const selects = [
    { key: 'market', label: 'Market', options: MARKET_FILTERS },
    { key: 'risk', label: 'Risk', options: RISK_FILTERS },
    { key: 'type', label: 'Type', options: TYPE_FILTERS },
    { key: 'sort', label: 'Order', options: SORTS },
    { key: 'fit', label: 'Shown', options: FITS.filter(({ value }) => hasScore || value !== 'me') },
  ] as const;
  return (
    <>
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
      <TextInput
        type="number"
        inputMode="decimal"
        min={0}
        name="money"
        lead="$"
        aria-label="Money that you have to invest"
        placeholder="Amount"
        value={view.money}
        onChange={(event) => change({ money: event.target.value })}
      />
    </>
  );
}

const FILTERS = ['market', 'risk', 'type', 'sort', 'fit', 'money'] as const;

const FITS = [
  { value: 'all', label: 'All strategies' },
  { value: 'me', label: 'Fits my score' },
  { value: 'money', label: 'Fits my money' },
  { value: 'watched', label: 'My watch list' },
] as const;

type Person = { readonly own: RiskScore | null; readonly money: number | null };

/** What the person said that they have to invest; null when they did not, or it is no amount. */
function moneyOf({ money }: MarketplaceView): number | null {
  const dollars = money.trim() === '' ? Number.NaN : Number(money);
  return dollars >= 0 ? dollars : null;
}

function isShown(
  strategy: Strategy,
  { view, own, money, watched }: Person & { view: MarketplaceView; watched: readonly string[] | undefined },
): boolean {
  if (view.fit === 'me') return own === null || fits(strategy, own);
  if (view.fit === 'money') return money === null || strategy.min_investment <= money;
  return view.fit !== 'watched' || (watched ?? []).includes(strategy.id);
}

/** How many are open to this person, said before they look at any. */
function openText(strategies: readonly Strategy[], { own, money }: Person): string {
  if (own === null && money === null) return '';
  const open = strategies.filter(
    (one) => (own === null || fits(one, own)) && (money === null || one.min_investment <= money),
  );
  const why = [...(own === null ? [] : [`your score of ${own}`]), ...(money === null ? [] : ['your money'])];
  return `. ${open.length === 0 ? 'None' : open.length} of them ${open.length === 1 ? 'fits' : 'fit'} ${why.join(' and ')}`;
}

function Results({
  view,
  change,
  clear,
}: {
  view: MarketplaceView;
  change: (part: Partial<MarketplaceView>) => void;
  clear: () => void;
}) {
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
  return <Found view={view} strategies={strategies} change={change} clear={clear} />;
}

function Found({
  view,
  strategies,
  change,
  clear,
}: {
  view: MarketplaceView;
  strategies: readonly Strategy[];
  change: (part: Partial<MarketplaceView>) => void;
  clear: () => void;
}) {
  const own = useOwnScore();
  const watched = useWatchList();
  const money = moneyOf(view);
  const shown = strategies.filter((one) => isShown(one, { view, own, money, watched }));
  const found = sortStrategies(filterStrategies(shown, view), view.sort);
  const compared = view.compare
    .split(',')
    .flatMap((id) => strategies.find((one) => one.id === id) ?? [])
    .slice(0, COMPARED_MAX);
  const compare = (id: string) => {
    const ids = compared.map((one) => one.id);
    const next = ids.includes(id) ? ids.filter((one) => one !== id) : [...ids, id];
    change({ compare: next.join(',') });
  };
  const isAll = found.length === strategies.length && view.sort === 'all';
  return (
    <>
      <p role="status" className="figures text-sm text-ink-faint">
        {found.length === strategies.length
          ? showCounted(found.length, 'strategy', 'strategies')
          : `${found.length} of ${showCounted(strategies.length, 'strategy', 'strategies')}`}
        {openText(strategies, { own, money })}
      </p>
      {compared.length > 1 && (
        <div className="mt-4">
          <ComparePanel strategies={compared} onClear={() => change({ compare: '' })} />
        </div>
      )}
      {compared.length === 1 && (
        <p className="mt-2 text-sm text-ink-soft">
          Choose a second strategy to compare with {compared[0]!.name}.
        </p>
      )}
      <h2 className="sr-only">Strategies</h2>
      {found.length === 0 && <NoneFound isWatchList={view.fit === 'watched'} clear={clear} />}
      {(isAll ? onShelves(found) : [{ purpose: null, strategies: found }]).map(({ purpose, ...shelf }) => (
        <Shelf key={purpose ?? 'found'} purpose={purpose}>
          {shelf.strategies.map((strategy) => (
            <li key={strategy.id} className="flex snap-start flex-col">
              <div className="flex-1">
                <StrategyCard strategy={strategy} fit={<Fit strategy={strategy} money={money} />} />
              </div>
              <CardActions
                strategy={strategy}
                isCompared={compared.includes(strategy)}
                canCompare={compared.length < COMPARED_MAX}
                onCompare={() => compare(strategy.id)}
              />
            </li>
          ))}
        </Shelf>
      ))}
    </>
  );
}

function Shelf({ purpose, children }: { purpose: Purpose | null; children: ReactNode }) {
  if (purpose === null) return <ul className={`mt-4 ${GRID}`}>{children}</ul>;
  const { title, note } = SHELVES[purpose];
  return (
    <section aria-label={title} className="mt-8">
      <SectionTitle note={note}>{title}</SectionTitle>
      <ul className={`mt-4 ${GRID} ${SHELF_ROW}`}>{children}</ul>
    </section>
  );
}

function NoneFound({ isWatchList, clear }: { isWatchList: boolean; clear: () => void }) {
  return (
    <div className="mt-4">
      <EmptyState
        title="No strategies match your criteria"
        action={
          <Button variant="secondary" onClick={clear}>
            Clear filters
          </Button>
        }
      >
        {isWatchList
          ? 'Press Watch below a strategy to put it on your list'
          : 'Try adjusting your filters or search term'}
      </EmptyState>
    </div>
  );
}
