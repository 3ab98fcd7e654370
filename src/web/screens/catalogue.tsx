import { Navigate } from 'react-router';
import type { CatalogueEntry } from '#contract/operations/catalogue.ts';
import { useUser } from '../call/session.tsx';
import { ButtonLink } from '../kit/control/button-link.tsx';
import { showCounted } from '../kit/figure/show-figure.ts';
import { PageTitle } from '../kit/page/page-title.tsx';
import { usePageTitle } from '../kit/page/use-page-title.ts';
import { ErrorState } from '../kit/state/error-state.tsx';
import { LoadingText } from '../kit/state/loading-text.tsx';
import { Skeleton } from '../kit/state/skeleton.tsx';
import { CatalogueList } from '../operations/catalogue-list.tsx';
import { FigureAudiences } from '../operations/figure-audiences.tsx';
import { useCatalogue } from '../operations/catalogue-queries.ts';

/** What the provider publishes and retires. For everyone but the provider's staff the page does not exist. */
export function Catalogue() {
  const { role } = useUser();
  return role === 'provider' ? <Entries /> : <Navigate to="/" replace />;
}

function Entries() {
  usePageTitle('Catalogue');
  const catalogue = useCatalogue();
  const entries = catalogue.data?.strategies;
  return (
    <div className="grid gap-12">
      <PageTitle
        lead={entries === undefined ? 'What is published, and what could be.' : leadOf(entries)}
        actions={
          <ButtonLink to="/custom-strategies" variant="secondary">
            Write a strategy
          </ButtonLink>
        }
      >
        Catalogue
      </PageTitle>
      {catalogue.isPending && (
        <div className="grid gap-8">
          <LoadingText>Loading the catalogue...</LoadingText>
          <Skeleton className="h-56" />
        </div>
      )}
      {catalogue.isError && entries === undefined && (
        <ErrorState title="The catalogue could not be loaded" onRetry={() => void catalogue.refetch()}>
          Nothing has changed.
        </ErrorState>
      )}
      {catalogue.data && entries && (
        <>
          <CatalogueList
            id="waiting"
            title="Waiting for a second person"
            note="Whoever proposed one may withdraw it; somebody else approves or declines it."
            entries={entries.filter(({ proposal }) => proposal !== null)}
          />
          <CatalogueList
            id="drafts"
            title="Not published"
            note="Drafts of the provider’s staff, and strategies that were retired."
            entries={entries.filter(({ proposal, status }) => proposal === null && status !== 'published')}
          />
          <CatalogueList
            id="published"
            title="Published"
            note="Everybody sees these, and clients can deploy them."
            entries={entries.filter(({ proposal, status }) => proposal === null && status === 'published')}
          />
          <FigureAudiences audiences={catalogue.data.figure_audiences} />
        </>
      )}
    </div>
  );
}

function leadOf(entries: readonly CatalogueEntry[]): string {
  const waiting = entries.filter(({ proposal }) => proposal !== null).length;
  const published = entries.filter(({ status }) => status === 'published').length;
  const counted = `${showCounted(published, 'strategy', 'strategies')} published.`;
  return waiting === 0
    ? `${counted} Nothing waits for a decision.`
    : `${counted} ${showCounted(waiting, 'proposal')} ${waiting === 1 ? 'waits' : 'wait'} for a second person.`;
}
