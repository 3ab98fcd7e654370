import { OctagonX } from 'lucide-react';
import { useState } from 'react';
import { Navigate } from 'react-router';
import type { OperationsDesk } from '#contract/operations/operations.ts';
import { useUser } from '../call/session.tsx';
import { ButtonLink } from '../kit/control/button-link.tsx';
import { Button } from '../kit/control/button.tsx';
import { ErrorState } from '../kit/state/error-state.tsx';
import { LoadingText } from '../kit/state/loading-text.tsx';
import { Notice } from '../kit/state/notice.tsx';
import { PageTitle } from '../kit/page/page-title.tsx';
import { showDateTime } from '../kit/figure/show-figure.ts';
import { Skeleton } from '../kit/state/skeleton.tsx';
import { usePageTitle } from '../kit/page/use-page-title.ts';
import { AgreementDay } from '../operations/agreement-day.tsx';
import { CashDifferences } from '../operations/cash/cash-differences.tsx';
import { DeadLetters } from '../operations/dead-letters.tsx';
import { DifferenceList, HeldExecutions } from '../operations/adjustments/difference-list.tsx';
import { HaltDialog } from '../operations/halts/halt-dialog.tsx';
import { KillSwitches } from '../operations/halts/kill-switches.tsx';
import { ConnectionList } from '../operations/incidents/connection-list.tsx';
import { DifferingBooks } from '../operations/incidents/differing-books.tsx';
import { IncidentList } from '../operations/incidents/incident-list.tsx';
import { MissingCommissions } from '../operations/incidents/missing-commissions.tsx';
import { QuarantinedDeployments } from '../operations/incidents/quarantined-deployments.tsx';
import { UnprotectedPositions } from '../operations/incidents/unprotected-positions.tsx';
import { UnreadRows } from '../operations/incidents/unread-rows.tsx';
import { summaryOf } from '../operations/incidents/waiting-summary.ts';
import { LiquidationRequests } from '../operations/liquidation-requests.tsx';
import { MissingHoldingsList } from '../operations/adjustments/missing-holdings-list.tsx';
import { useOperationsDesk } from '../operations/operations-queries.ts';
import { UnconfirmedOrders } from '../operations/orders/unconfirmed-orders.tsx';
import { RefundDialog } from '../operations/payments/refund-dialog.tsx';
import { Refunds } from '../operations/payments/refunds.tsx';
import { UnpaidClients } from '../operations/payments/unpaid-clients.tsx';
import { RunningFigures } from '../operations/running-figures.tsx';
import { Wait } from '../operations/wait.tsx';

/** What needs support's attention. For all other users the page does not exist. */
export function Operations() {
  const { role } = useUser();
  return role === 'support' ? <Desk /> : <Navigate to="/" replace />;
}

function Desk() {
  usePageTitle('Operations');
  const [opened, setOpened] = useState<'halt' | 'refund' | null>(null);
  const desk = useOperationsDesk();
  const shown = desk.data;
  if (desk.isPending) return <DeskSkeleton />;
  if (shown === undefined) {
    return (
      <div className="py-8">
        <ErrorState
          heading="h1"
          title="The operations desk could not be loaded"
          onRetry={() => void desk.refetch()}
        >
          Trading continues, and halts stay on. Until this page loads, use the command line.
        </ErrorState>
      </div>
    );
  }
  return (
    <div className="grid gap-12">
      <div className="grid gap-4">
        <PageTitle
          lead={summaryOf(shown, { isTraderSeen: isTraderSeen(shown) })}
          actions={
            <>
              <ButtonLink to="/operations/clients" variant="secondary">
                Find a client
              </ButtonLink>
              <Button variant="secondary" onClick={() => setOpened('refund')}>
                Refund a payment
              </Button>
              <Button
                variant="secondary"
                icon={<OctagonX className="size-4" aria-hidden="true" />}
                onClick={() => setOpened('halt')}
              >
                Halt trading
              </Button>
            </>
          }
        >
          Operations
        </PageTitle>
        <p className="figures text-sm text-ink-faint">
          Read {showDateTime(shown.as_of)}.
          {shown.market_at !== null && ` Market clock ${showDateTime(shown.market_at)}.`}
        </p>
        <TraderNotice desk={shown} />
        {desk.isRefetchError && (
          <Notice tone="caution" title="This page could not be refreshed">
            Showing the state of {showDateTime(shown.as_of)}. We retry every few seconds.
          </Notice>
        )}
      </div>
      <IncidentList desk={shown} />
      <KillSwitches desk={shown} />
      <RunningFigures desk={shown} />
      <AgreementDay desk={shown} />
      <Lists desk={shown} />
      {opened === 'halt' && <HaltDialog desk={shown} onClose={() => setOpened(null)} />}
      {opened === 'refund' && <RefundDialog onClose={() => setOpened(null)} />}
    </div>
  );
}

/** Lists in which something waits stand before the empty ones. */
function Lists({ desk }: { desk: OperationsDesk }) {
  const quiet = LISTS.filter(({ of }) => desk[of].results.length === 0);
  return (
    <>
      {LISTS.filter((list) => !quiet.includes(list)).map(({ of, List }) => (
        <List key={of} desk={desk} />
      ))}
      {quiet.length > 0 && (
        <div className="border-t">
          {quiet.map(({ of, List }) => (
            <List key={of} desk={desk} />
          ))}
        </div>
      )}
    </>
  );
}

const LISTS = [
  { of: 'connections', List: ConnectionList },
  { of: 'quarantined', List: QuarantinedDeployments },
  { of: 'differing_books', List: DifferingBooks },
  { of: 'orders', List: UnconfirmedOrders },
  { of: 'differences', List: DifferenceList },
  { of: 'missing_holdings', List: MissingHoldingsList },
  { of: 'cash_differences', List: CashDifferences },
  { of: 'unprotected', List: UnprotectedPositions },
  { of: 'unread_rows', List: UnreadRows },
  { of: 'missing_commissions', List: MissingCommissions },
  { of: 'liquidations', List: LiquidationRequests },
  { of: 'unpaid_clients', List: UnpaidClients },
  { of: 'refunds', List: Refunds },
  { of: 'executions', List: HeldExecutions },
  { of: 'dead_letters', List: DeadLetters },
] as const;

function isTraderSeen({ as_of: asOf, trader_seen_at: seenAt }: OperationsDesk): boolean {
  return seenAt !== null && Date.parse(asOf) - Date.parse(seenAt) <= STALE_AFTER_MS;
}

const STALE_AFTER_MS = 15_000;

/** Decisions are carried out by the trader: one that is away carries out none. */
function TraderNotice({ desk }: { desk: OperationsDesk }) {
  if (isTraderSeen(desk)) return null;
  const { as_of: asOf, trader_seen_at: seenAt } = desk;
  return (
    <Notice tone="caution" title="The trader is not responding">
      {seenAt === null ? (
        'It has never run here.'
      ) : (
        <>
          For <Wait since={seenAt} until={asOf} />.
        </>
      )}{' '}
      No orders are sent in the meantime. Your decisions take effect once it is back.
    </Notice>
  );
}

function DeskSkeleton() {
  return (
    <div className="grid gap-8">
      <LoadingText>Loading the desk...</LoadingText>
      <Skeleton className="h-14 w-80 max-w-full" />
      <Skeleton className="h-32" />
      <Skeleton className="h-56" />
    </div>
  );
}
