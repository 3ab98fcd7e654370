import { RefreshCw } from 'lucide-react';
import { Navigate, useParams } from 'react-router';
import type { Client } from '#contract/operations/clients.ts';
import { COUNTRY_NAMES, isEligibleCountry } from '#rules/eligibility/countries.ts';
import { CallError } from '../call/call-error.ts';
import { useUser } from '../call/session.tsx';
import { ButtonLink } from '../kit/control/button-link.tsx';
import { Button } from '../kit/control/button.tsx';
import { showDate, showDateTime, showWord } from '../kit/figure/show-figure.ts';
import { PageTitle } from '../kit/page/page-title.tsx';
import { usePageTitle } from '../kit/page/use-page-title.ts';
import { ErrorState } from '../kit/state/error-state.tsx';
import { LoadingText } from '../kit/state/loading-text.tsx';
import { Skeleton } from '../kit/state/skeleton.tsx';
import { ClientBooks } from '../operations/clients/client-books.tsx';
import { ClientNotes } from '../operations/clients/client-notes.tsx';
import { useClient } from '../operations/clients/client-queries.ts';
import { ClientTimeline } from '../operations/clients/client-timeline.tsx';
import { ClientWaiting } from '../operations/clients/client-waiting.tsx';
import { SignOutClient } from '../operations/clients/sign-out-client.tsx';
import { Facts } from '../operations/facts.tsx';

/** All that support needs to answer one client. For everyone else the page does not exist. */
export function ClientScreen() {
  const { role } = useUser();
  const { id = '' } = useParams();
  return role === 'support' ? <OneClient key={id} id={id} /> : <Navigate to="/" replace />;
}

function OneClient({ id }: { id: string }) {
  usePageTitle('Client');
  const client = useClient(id);
  if (client.data === undefined && client.isError) {
    const isAbsent = client.error instanceof CallError && client.error.status === 404;
    return (
      <ErrorState
        heading="h1"
        title={isAbsent ? 'There is no such client' : 'The client could not be loaded'}
        onRetry={() => void client.refetch()}
      >
        {isAbsent ? 'Find them by mail, account number or order id.' : 'Nothing has changed.'}
      </ErrorState>
    );
  }
  if (client.data === undefined)
    return (
      <div className="grid gap-8">
        <LoadingText>Loading the client...</LoadingText>
        <Skeleton className="h-14 w-80 max-w-full" />
        <Skeleton className="h-56" />
      </div>
    );
  return <Page client={client.data} busy={client.isFetching} onReload={() => void client.refetch()} />;
}

function Page({ client, busy, onReload }: { client: Client; busy: boolean; onReload: () => void }) {
  return (
    <div className="grid gap-12">
      <div className="grid gap-6">
        <PageTitle
          lead={<span className="wrap-anywhere">{client.email}</span>}
          actions={
            <>
              <ButtonLink to="/operations/clients" variant="secondary">
                Find another
              </ButtonLink>
              <Button
                variant="secondary"
                icon={<RefreshCw className="size-4" aria-hidden="true" />}
                busy={busy}
                busyLabel="Reading..."
                onClick={onReload}
              >
                Read again
              </Button>
              <SignOutClient id={client.id} email={client.email} />
            </>
          }
        >
          {client.name}
        </PageTitle>
        <p className="figures text-sm text-ink-faint">
          Read {showDateTime(client.as_of)}.
          {client.market_at !== null && ` Market clock ${showDateTime(client.market_at)}.`}
        </p>
        <Facts
          facts={[
            ['Client since', showDate(client.created_at)],
            ['Mail address', client.is_email_verified ? 'Verified' : 'Not verified'],
            ['Country', client.country === null ? 'Not said yet' : nameOf(client.country)],
            ['Second factor', client.has_second_factor ? 'On' : 'Off'],
            ['Agreement', client.is_agreement_signed ? 'Signed' : 'Not signed'],
            [
              'Risk tolerance',
              client.risk_tolerance === null ? 'No questionnaire yet' : showWord(client.risk_tolerance),
            ],
            ['Plan', client.plan ?? 'None chosen'],
            ['Account', client.is_disabled ? 'Disabled' : 'Can sign in'],
          ]}
        />
      </div>
      <ClientWaiting client={client} />
      <ClientBooks client={client} />
      <ClientNotes id={client.id} notes={client.notes} />
      <ClientTimeline timeline={client.timeline} />
    </div>
  );
}

function nameOf(country: string): string {
  return isEligibleCountry(country) ? COUNTRY_NAMES[country] : country;
}
