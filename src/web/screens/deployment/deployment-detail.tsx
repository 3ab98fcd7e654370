import { ArrowLeft } from 'lucide-react';
import { useParams } from 'react-router';
import type { Deployment } from '#contract/deployments.ts';
import { hasEnded } from '#engine/lifecycle/status.ts';
import { TRIPWIRE_STATE_LABELS, tripwireReactionSentence } from '#rules/deployments/tripwire-text.ts';
import { AgreementNotice } from '../../agreements/agreement-changes.tsx';
import { needsSignIn, SessionNotice } from '../../brokerage/session-notice.tsx';
import { Link } from '../../kit/control/link.tsx';
import { CallError } from '../../call/call-error.ts';
import { DeploymentControls } from '../../deployments/deployment-controls.tsx';
import { ChangeTodayLine } from '../../deployments/change-today-line.tsx';
import { MoneyButton, PendingFlowNotice } from '../../deployments/flows/money-controls.tsx';
import { changeToday, profitOf } from '../../deployments/deployment-figures.ts';
import { useDeployment, useDeploymentPerformance } from '../../deployments/deployment-queries.ts';
import { NextDecisionLine } from '../../deployments/next-decision.tsx';
import { FinalStatement } from '../../fees/final-statement.tsx';
import { UnpaidFeeNotice } from '../../fees/unpaid-fee-notice.tsx';
import { ModeBadge } from '../../deployments/mode-badge.tsx';
import { QueueNotice } from '../../deployments/queue-notice.tsx';
import { PracticeNotice } from '../../deployments/practice-notice.tsx';
import { DeploymentTabs, useDeploymentTab } from './deployment-tabs.tsx';
import { PromoteButton } from './promote-button.tsx';
import { ValueChart } from './value-chart.tsx';
import { StatusBadge } from '../../deployments/status-badge.tsx';
import { ValueOfMode } from '../../deployments/value-of-mode.tsx';
import { Button } from '../../kit/control/button.tsx';
import { ButtonLink } from '../../kit/control/button-link.tsx';
import { Change } from '../../kit/figure/change.tsx';
import { ErrorState } from '../../kit/state/error-state.tsx';
import { LoadingText } from '../../kit/state/loading-text.tsx';
import { Notice } from '../../kit/state/notice.tsx';
import { AfterFirstFigures } from '../../kit/page/after-first-figures.tsx';
import { PageTitle } from '../../kit/page/page-title.tsx';
import {
  showAsOf,
  showCounted,
  showDate,
  showDateTime,
  showMoney,
  showPercent,
} from '../../kit/figure/show-figure.ts';
import { Skeleton } from '../../kit/state/skeleton.tsx';
import { Stat } from '../../kit/figure/stat.tsx';
import { TextureKey } from '../../kit/figure/texture-key.tsx';
import { usePageTitle } from '../../kit/page/use-page-title.ts';

export function DeploymentDetail() {
  const { id = '' } = useParams();
  const deployment = useDeployment(id);
  usePageTitle(deployment.data?.strategy_name ?? 'Deployed strategy');
  if (deployment.isPending) return <DetailSkeleton />;
  if (deployment.data === undefined) {
    const missing = deployment.error instanceof CallError && deployment.error.status === 404;
    return (
      <div className="py-8">
        <ErrorState
          heading="h1"
          title={missing ? 'Deployment not found' : 'Failed to load deployment details'}
          {...(missing ? {} : { onRetry: () => void deployment.refetch() })}
          action={
            <ButtonLink to="/deployed-strategies" variant="secondary">
              Back to Deployed Strategies
            </ButtonLink>
          }
        />
      </div>
    );
  }
  return (
    <Detail
      deployment={deployment.data}
      refreshing={deployment.isFetching}
      stale={deployment.isRefetchError}
    />
  );
}

function Detail({
  deployment,
  refreshing,
  stale,
}: {
  deployment: Deployment;
  refreshing: boolean;
  stale: boolean;
}) {
  const { shown, show, open } = useDeploymentTab();
  return (
    <div className="grid grid-cols-1 gap-10 max-sm:gap-8">
      <Heading
        deployment={deployment}
        refreshing={refreshing}
        stale={stale}
        onExplain={() => open('explained')}
      />
      <PracticeNotice deployment={deployment} />
      <Figures deployment={deployment} />
      <div className="contents max-sm:[&>*]:order-2">
        {hasEnded(deployment.status) && deployment.mode !== 'practice' && (
          <FinalStatement deploymentId={deployment.id} />
        )}
        <AfterFirstFigures>
          <ValueChart deployment={deployment} onTimeline={() => open('timeline')} />
          <DeploymentTabs deployment={deployment} shown={shown} onShow={show} />
        </AfterFirstFigures>
      </div>
    </div>
  );
}

function Heading({
  deployment,
  refreshing,
  stale,
  onExplain,
}: {
  deployment: Deployment;
  refreshing: boolean;
  stale: boolean;
  onExplain: () => void;
}) {
  return (
    <div className="grid gap-4 max-sm:contents">
      <div className="flex items-center justify-between">
        <Link
          to="/deployed-strategies"
          className="inline-flex items-center gap-2 rounded-control text-sm text-ink-soft hover:text-ink"
        >
          <ArrowLeft className="size-4" aria-hidden="true" />
          Back to Deployed Strategies
        </Link>
        <span className="text-sm text-ink-faint" role="status">
          {refreshing ? 'Refreshing..' : ''}
        </span>
      </div>
      <PageTitle
        lead={
          <span className="flex flex-wrap items-center gap-3">
            <ModeBadge mode={deployment.mode} />
            <StatusBadge deployment={deployment} />
            <span>
              Since {showDate(deployment.deployed_at)}, {showCounted(deployment.days_active, 'day')}
            </span>
          </span>
        }
        actions={<Actions deployment={deployment} />}
        valueFirst
      >
        {deployment.strategy_name}
      </PageTitle>
      <Notices deployment={deployment} stale={stale} onExplain={onExplain} />
    </div>
  );
}

function Actions({ deployment }: { deployment: Deployment }) {
  return (
    <>
      <PromoteButton deployment={deployment} />
      <DeploymentControls deployment={deployment} />
      <MoneyButton deployment={deployment} />
    </>
  );
}

/** What needs its owner's attention. */
function Notices({
  deployment,
  stale,
  onExplain,
}: {
  deployment: Deployment;
  stale: boolean;
  onExplain: () => void;
}) {
  return (
    <>
      <QueueNotice deployment={deployment} />
      {deployment.status_reason && (deployment.status !== 'pending' || !deployment.awaits_capacity) && (
        <Notice tone={deployment.status === 'failed' ? 'failure' : 'caution'}>
          {deployment.status_reason}
        </Notice>
      )}
      <SessionNotice
        session={deployment.broker_session}
        action={
          needsSignIn(deployment.broker_session) && (
            <ButtonLink to="/account?tab=brokers" variant="secondary" size="small">
              Sign in again
            </ButtonLink>
          )
        }
      />
      <PendingFlowNotice deployment={deployment} />
      {deployment.mode !== 'practice' && <AgreementNotice />}
      {deployment.mode !== 'practice' && <UnpaidFeeNotice />}
      <TripwireNotice deployment={deployment} onExplain={onExplain} />
      {stale && (
        <Notice tone="caution" title="These figures could not be refreshed">
          They are {showAsOf(deployment.as_of)} and we retry every few seconds. Trading does not depend on
          this page.
        </Notice>
      )}
    </>
  );
}

/** What it is compared with, and where it is acknowledged, is in a part of its own. */
function TripwireNotice({ deployment, onExplain }: { deployment: Deployment; onExplain: () => void }) {
  if (deployment.tripwire_state !== 'red' || hasEnded(deployment.status)) return null;
  return (
    <Notice
      tone="caution"
      title={TRIPWIRE_STATE_LABELS.red}
      action={
        <Button variant="secondary" size="small" onClick={onExplain}>
          See Why
        </Button>
      }
    >
      {tripwireReactionSentence(deployment.tripwire_choice)}
    </Notice>
  );
}

/** On a phone what can be done comes between the value and the rest. */
function Figures({ deployment }: { deployment: Deployment }) {
  const stopLoss = showPercent(deployment.stop_loss_percentage, { decimals: 0 });
  const isPractice = deployment.mode === 'practice';
  return (
    <section
      aria-label="Figures"
      className="grid gap-8 border-y py-8 max-sm:contents lg:grid-cols-[minmax(16rem,1fr)_2fr]"
    >
      <Worth deployment={deployment} />
      <dl className="grid grid-cols-2 max-sm:order-2 gap-x-6 gap-y-6 sm:grid-cols-4">
        <Stat
          label={
            isPractice ? 'Practice Money' : deployment.flows.length === 0 ? 'Initial Investment' : 'Put In'
          }
          {...(deployment.flows.length > 0 && { note: 'Added less withdrawn' })}
        >
          {showMoney(deployment.investment_amount)}
        </Stat>
        <Stat label="Position Value" note={`${deployment.open_positions} open`}>
          {showMoney(deployment.position_value)}
        </Stat>
        <Stat label="Cash Balance">{showMoney(deployment.cash_balance)}</Stat>
        <Stat label="Risk Level" note={`Stop loss at ${stopLoss}`}>
          <span className="capitalize">{deployment.risk_level}</span>
        </Stat>
        <Stat label="Win Rate" note={`Of ${showCounted(deployment.closed_trades, 'closed trade')}`}>
          {showPercent(deployment.win_rate, { decimals: 1 })}
        </Stat>
        <Stat label="Unrealized P&L">
          <Change value={deployment.unrealized_pnl} unit="money" />
        </Stat>
        <Stat label="Realized P&L" note="Net of commission">
          <Change value={deployment.total_pnl} unit="money" />
        </Stat>
        <Stat label="Orders filled">{deployment.total_trades}</Stat>
      </dl>
    </section>
  );
}

/** What it is worth now, since the start and since the last close. */
function Worth({ deployment }: { deployment: Deployment }) {
  const { data: closes } = useDeploymentPerformance(deployment.id, 'ALL');
  const today = hasEnded(deployment.status) ? null : changeToday(closes, [deployment], deployment.as_of);
  const isPractice = deployment.mode === 'practice';
  return (
    <div>
      <dl>
        <Stat
          label={isPractice ? 'Practice Value' : 'Current Value'}
          size="large"
          note={
            <>
              <span className="block">
                <Change value={profitOf(deployment)} unit="money" />{' '}
                <Change value={deployment.return_percent} />{' '}
                {deployment.flows.length > 0
                  ? 'time-weighted'
                  : isPractice
                    ? 'of practice money'
                    : 'of your investment'}
              </span>
              <ChangeTodayLine today={today} />
            </>
          }
        >
          <ValueOfMode deployment={deployment} />
        </Stat>
      </dl>
      <p className="mt-3 flex items-center gap-2 text-xs text-ink-faint">
        <TextureKey texture={isPractice ? 'practice' : 'live'} words={false} />
        {showDateTime(deployment.as_of)}, cash plus positions
      </p>
      <div className="mt-4">
        <NextDecisionLine deploymentId={deployment.id} />
      </div>
    </div>
  );
}

function DetailSkeleton() {
  return (
    <div className="grid min-h-dvh content-start gap-8">
      <LoadingText>Loading deployment details...</LoadingText>
      <Skeleton className="h-12 w-80 max-w-full" />
      <Skeleton className="h-36" />
      <Skeleton className="h-80" />
    </div>
  );
}
