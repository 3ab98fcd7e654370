import { Search } from 'lucide-react';
import { useState } from 'react';
import { STATUS_FILTERS, type StatusFilter } from '#rules/deployments/status-label.ts';
import {
  arrangeDeployed,
  DEPLOYED_SORTS,
  type DeployedSort,
  deployedTiles,
} from '#rules/portfolio/deployed-list.ts';
import { DeploymentCard } from './deployment-card.tsx';
import { toListed } from '../../deployments/deployment-figures.ts';
import { useDeployments } from '../../deployments/deployment-queries.ts';
import { ButtonLink } from '../../kit/control/button-link.tsx';
import { EmptyState } from '../../kit/state/empty-state.tsx';
import { ErrorState } from '../../kit/state/error-state.tsx';
import { LoadingText } from '../../kit/state/loading-text.tsx';
import { useFirstFiguresDrawn } from '../../kit/page/after-first-figures.tsx';
import { PageTitle } from '../../kit/page/page-title.tsx';
import { Select } from '../../kit/control/select.tsx';
import { showCount, showCounted } from '../../kit/figure/show-figure.ts';
import { Skeleton } from '../../kit/state/skeleton.tsx';
import { Stat } from '../../kit/figure/stat.tsx';
import { TextInput } from '../../kit/control/text-input.tsx';
import { usePageTitle } from '../../kit/page/use-page-title.ts';
import { OwnHaltButton, OwnHaltNotice } from '../../operations/halts/own-halt.tsx';

const STATUS_WORDS: Readonly<Record<StatusFilter, string>> = {
  all: 'All Status',
  active: 'Active',
  paused: 'Paused',
  pending: 'Pending',
};
const SORT_WORDS: Readonly<Record<DeployedSort, string>> = {
  performance: 'Performance',
  date: 'Date',
  value: 'Value',
};

/** As many as a phone shows at first. */
const FIRST_CARDS = 2;

export function DeployedStrategies() {
  usePageTitle('Your Active AI-Models');
  const deployments = useDeployments();
  return (
    <div className="grid gap-8">
      <PageTitle
        actions={
          <>
            {deployments.data !== undefined && deployments.data.length > 0 && <OwnHaltButton />}
            <ButtonLink to="/marketplace">Deploy New Strategy</ButtonLink>
          </>
        }
      >
        Your Active AI-Models
      </PageTitle>
      <OwnHaltNotice />
      {deployments.isPending ? (
        <ListSkeleton />
      ) : deployments.data === undefined ? (
        <ErrorState title="Failed to load deployed strategies" onRetry={() => window.location.reload()}>
          Your strategies keep running; only this page could not load them.
        </ErrorState>
      ) : deployments.data.length === 0 ? (
        <EmptyState
          title="No strategies deployed yet"
          action={<ButtonLink to="/marketplace">Browse AI Strategies</ButtonLink>}
        >
          Each strategy that you deploy appears here with its value, limits and status.
        </EmptyState>
      ) : (
        <DeployedList items={deployments.data.map(toListed)} />
      )}
    </div>
  );
}

function DeployedList({ items }: { items: readonly ReturnType<typeof toListed>[] }) {
  const [search, setSearch] = useState('');
  const [status, setStatus] = useState<StatusFilter>('all');
  const [sort, setSort] = useState<DeployedSort>('performance');
  const own = items.filter(({ deployment }) => deployment.mode !== 'practice');
  const tiles = deployedTiles(own);
  const practising = items.length - own.length;
  const areDrawn = useFirstFiguresDrawn();
  const shown = arrangeDeployed(items, { search, status, sort });
  return (
    <>
      {/* On a phone what each is worth comes first, how many there are after it. */}
      <dl className="grid grid-cols-2 gap-6 border-y py-6 max-sm:order-1 sm:grid-cols-4">
        <Stat
          label="Active Strategies"
          note={practising > 0 && `${showCount(practising)} with practice money not counted`}
        >
          {showCount(tiles.active)}
        </Stat>
        <Stat label="Open Positions">{showCount(tiles.openPositions)}</Stat>
        <Stat label="Profitable">{showCount(tiles.profitable)}</Stat>
        <Stat label="Avg. Days Active">{showCount(tiles.averageDaysActive)}</Stat>
      </dl>
      <div className="grid grid-cols-[1fr_auto] gap-3 sm:grid-cols-[1fr_12rem_14rem]">
        <TextInput
          type="search"
          className="max-sm:col-span-2"
          aria-label="Search strategies"
          placeholder="Search strategies..."
          value={search}
          onChange={(event) => setSearch(event.target.value)}
          lead={<Search className="size-4" />}
        />
        <Select
          aria-label="Status"
          value={status}
          onChange={(event) => setStatus(event.target.value as StatusFilter)}
          options={STATUS_FILTERS.map((value) => ({ value, label: STATUS_WORDS[value] }))}
        />
        <Select
          aria-label="Sort by"
          value={sort}
          onChange={(event) => setSort(event.target.value as DeployedSort)}
          options={DEPLOYED_SORTS.map((value) => ({ value, label: `Sort by ${SORT_WORDS[value]}` }))}
        />
      </div>
      <p role="status" className="sr-only">
        {showCounted(shown.length, 'strategy', 'strategies')} shown
      </p>
      {shown.length === 0 ? (
        <EmptyState title="No strategies match your filters" />
      ) : (
        <div className="grid gap-4">
          {shown.slice(0, areDrawn ? shown.length : FIRST_CARDS).map((item) => (
            <DeploymentCard key={item.deployment.id} item={item} />
          ))}
          {!areDrawn && shown.length > FIRST_CARDS && <div className="min-h-dvh" />}
        </div>
      )}
    </>
  );
}

function ListSkeleton() {
  return (
    <div className="grid gap-4">
      <LoadingText>Loading your strategies...</LoadingText>
      <Skeleton className="h-24" />
      <Skeleton className="h-56" />
      <Skeleton className="h-56" />
    </div>
  );
}
