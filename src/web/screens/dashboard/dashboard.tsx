import { useMemo } from 'react';
import type { Deployment } from '#contract/deployments.ts';
import { hasEnded } from '#engine/lifecycle/status.ts';
import { winRatePercent } from '#rules/portfolio/portfolio-summary.ts';
import { AgreementNotice } from '../../agreements/agreement-changes.tsx';
import { SessionLine } from '../../brokerage/session-line.tsx';
import { needsSignIn, SessionNotice } from '../../brokerage/session-notice.tsx';
import { TooFewPoints } from '../../deployments/too-few-points.tsx';
import { ChangeTodayLine } from '../../deployments/change-today-line.tsx';
import { Link } from '../../kit/control/link.tsx';
import { AllocationChart } from '../../deployments/allocation-chart.tsx';
import { GettingStarted } from './getting-started.tsx';
import {
  investedBy,
  type PortfolioFigures,
  changeToday,
  portfolioFigures,
  profitOf,
  valueOf,
  withoutPractice,
} from '../../deployments/deployment-figures.ts';
import { useDeployments } from '../../deployments/deployment-queries.ts';
import { PortfolioPositionTable } from '../../deployments/position-table.tsx';
import { ModeBadge } from '../../deployments/mode-badge.tsx';
import { ValueOfMode } from '../../deployments/value-of-mode.tsx';
import { StatusBadge } from '../../deployments/status-badge.tsx';
import { useSession, useUser } from '../../call/session.tsx';
import { ButtonLink } from '../../kit/control/button-link.tsx';
import { Change } from '../../kit/figure/change.tsx';
import { ErrorState } from '../../kit/state/error-state.tsx';
import { LoadingText } from '../../kit/state/loading-text.tsx';
import { endNow } from '../../kit/chart/scale/end-now.ts';
import { AfterFirstFigures } from '../../kit/page/after-first-figures.tsx';
import { PageTitle } from '../../kit/page/page-title.tsx';
import { PerformanceChart } from '../../kit/chart/performance-chart.tsx';
import { SectionTitle } from '../../kit/page/section-title.tsx';
import {
  showCount,
  showCounted,
  showDateTime,
  showMoney,
  showPercent,
} from '../../kit/figure/show-figure.ts';
import { Skeleton } from '../../kit/state/skeleton.tsx';
import { Stat } from '../../kit/figure/stat.tsx';
import { usePageTitle } from '../../kit/page/use-page-title.ts';

export function Dashboard() {
  usePageTitle('Dashboard');
  const user = useUser();
  const deployments = useDeployments();
  if (deployments.isPending) return <DashboardSkeleton />;
  if (deployments.data === undefined) {
    return (
      <div className="py-8">
        <ErrorState
          heading="h1"
          title="Failed to load deployed strategies"
          onRetry={() => void deployments.refetch()}
        >
          Your strategies keep running; only this page could not load them.
        </ErrorState>
      </div>
    );
  }
  if (deployments.data.length === 0) return <GettingStarted firstName={user.first_name} />;
  return <Portfolio deployments={deployments.data} firstName={user.first_name} />;
}

function Portfolio({ deployments, firstName }: { deployments: readonly Deployment[]; firstName: string }) {
  const own = withoutPractice(deployments);
  const practice = deployments.filter(({ mode }) => mode === 'practice');
  const figures = portfolioFigures(own);
  const sessions = deployments.map(({ broker_session }) => broker_session);
  const urgent = sessions.find((session) => session?.next_step) ?? null;
  const asOf = own
    .map((deployment) => deployment.as_of)
    .toSorted()
    .at(-1);
  return (
    <div className="grid gap-10 max-sm:gap-6">
      <PageTitle
        lead={<span className="max-sm:sr-only">Welcome back, {firstName}</span>}
        actions={<Ways />}
        valueFirst
      >
        <span className="max-sm:sr-only">Dashboard</span>
      </PageTitle>
      <AgreementNotice />
      <SessionNotice
        session={urgent}
        action={
          needsSignIn(urgent) && (
            <ButtonLink to="/account?tab=brokers" variant="secondary" size="small">
              Sign in again
            </ButtonLink>
          )
        }
      />
      {own.length > 0 && <Summary figures={figures} deployments={own} asOf={asOf} />}
      <div className="contents max-sm:[&>*]:order-2">
        <AfterFirstFigures>
          {own.length > 0 && (
            <>
              <PortfolioChart deployments={own} asOf={asOf} />
              <AllocationChart deployments={own} />
              <section className="grid gap-2">
                <SectionTitle aside={<DeployedLink />}>Your strategies</SectionTitle>
                <DeploymentRows deployments={own} />
              </section>
            </>
          )}
          {practice.length > 0 && (
            <section className="grid gap-2">
              <SectionTitle
                note="Practice money, in none of the totals."
                aside={own.length === 0 && <DeployedLink />}
              >
                Practice
              </SectionTitle>
              <DeploymentRows deployments={practice} />
            </section>
          )}
          {own.length > 0 && (
            <section className="grid gap-4">
              <SectionTitle note={asOf && `Priced ${showDateTime(asOf)}`}>Active Positions</SectionTitle>
              <PortfolioPositionTable positions={own.flatMap((deployment) => deployment.positions)} />
            </section>
          )}
        </AfterFirstFigures>
      </div>
    </div>
  );
}

function Summary({
  figures,
  deployments,
  asOf,
}: {
  figures: PortfolioFigures;
  deployments: readonly Deployment[];
  asOf: string | undefined;
}) {
  const { user } = useSession();
  const today = changeToday(user?.performance, deployments, asOf);
  return (
    <section
      aria-label="Portfolio figures"
      className="grid gap-8 border-y py-8 max-sm:border-t-0 max-sm:pt-0 lg:grid-cols-[minmax(18rem,1fr)_2fr]"
    >
      <div>
        <dl>
          <Stat
            label="Current Value"
            size="large"
            note={
              <>
                <span className="block">
                  <Change value={figures.change} unit="money" /> <Change value={figures.changePercent} /> of
                  what you put in
                </span>
                <ChangeTodayLine today={today} />
              </>
            }
          >
            {showMoney(figures.currentValue)}
          </Stat>
        </dl>
        <p className="mt-3 text-xs text-ink-faint">{showDateTime(asOf)}</p>
      </div>
      <dl className="grid grid-cols-2 gap-6 sm:grid-cols-3">
        <Stat label="Available Cash">{showMoney(figures.cash)}</Stat>
        <Stat label="Position Value">{showMoney(figures.positionValue)}</Stat>
        <Stat label="Active AI Models" note={showCounted(figures.openPositions, 'open position')}>
          {showCount(figures.activeDeployments)}
        </Stat>
        <Stat label="Unrealized P&L" note={showCounted(figures.trades, 'filled order')}>
          <Change value={figures.unrealized} unit="money" />
        </Stat>
        <Stat
          label="Win Rate"
          note={`Of ${showCounted(
            deployments.reduce((sum, one) => sum + one.closed_trades, 0),
            'closed trade',
          )}`}
        >
          {showPercent(
            winRatePercent(deployments.map((one) => ({ won: one.won_trades, lost: one.lost_trades }))),
            { decimals: 1 },
          )}
        </Stat>
        <Stat label="Invested">{showMoney(figures.investment)}</Stat>
      </dl>
    </section>
  );
}

function PortfolioChart({
  deployments,
  asOf,
}: {
  deployments: readonly Deployment[];
  asOf: string | undefined;
}) {
  const { user } = useSession();
  const read = user?.performance;
  const value = valueOf(deployments);
  const series = useMemo(() => (read && asOf ? endNow(read, { value, asOf }) : read), [read, value, asOf]);
  const withEnded = deployments.some(({ status }) => hasEnded(status))
    ? ', closed ones at their last value,'
    : '';
  if (!series || series.labels.length <= 2) {
    return <TooFewPoints title="Portfolio Performance" />;
  }
  return (
    <PerformanceChart
      title="Portfolio Performance"
      note={`Net asset value of your deployments${withEnded} against the benchmark`}
      labels={series.labels}
      data={series.data}
      benchmark={series.benchmark}
      name="Yours"
      measure="money"
      invested={investedBy(series.labels, deployments)}
      texture="live"
      rememberAs="portfolio"
      height={300}
    />
  );
}

function DeploymentRows({ deployments }: { deployments: readonly Deployment[] }) {
  return (
    <ul>
      {deployments.map((deployment) => (
        <DeploymentRow key={deployment.id} deployment={deployment} />
      ))}
    </ul>
  );
}

/** A deployment as a row: its name and state in words, its value, its result. */
function DeploymentRow({ deployment }: { deployment: Deployment }) {
  return (
    <li className="border-b last:border-0">
      <Link
        to={`/deployed-strategies/${deployment.id}`}
        className="grid grid-cols-[1fr_auto] items-center gap-x-6 gap-y-1 rounded-control py-4 hover:bg-surface sm:grid-cols-[1fr_auto_10rem]"
      >
        <span className="min-w-0">
          <span className="font-medium">{deployment.strategy_name}</span>
          {deployment.status_reason && (
            <span className="block text-sm text-caution">{deployment.status_reason}</span>
          )}
          <SessionLine session={deployment.broker_session} className="block" />
        </span>
        <span className="flex flex-wrap justify-end gap-2">
          <ModeBadge mode={deployment.mode} />
          <StatusBadge deployment={deployment} />
        </span>
        <span className="figures col-span-2 flex items-baseline justify-between gap-3 sm:col-span-1 sm:block sm:text-right">
          <ValueOfMode deployment={deployment} />{' '}
          <span className="text-sm sm:block">
            <Change value={profitOf(deployment)} unit="money" /> <Change value={deployment.return_percent} />
          </span>
        </span>
      </Link>
    </li>
  );
}

function DeployedLink() {
  return (
    <Link to="/deployed-strategies" className="rounded-control text-sm text-accent hover:underline">
      All deployed strategies
    </Link>
  );
}

function DashboardSkeleton() {
  return (
    <div className="grid min-h-dvh content-start gap-8">
      <LoadingText>Loading your dashboard...</LoadingText>
      <Skeleton className="h-12 w-64" />
      <Skeleton className="h-36" />
      <Skeleton className="h-80" />
    </div>
  );
}

/** On a phone the marketplace is in the bar at the bottom. */
function Ways() {
  return (
    <>
      <ButtonLink to="/portfolio" variant="secondary">
        Portfolio
      </ButtonLink>
      <ButtonLink to="/statements" variant="secondary">
        Statements
      </ButtonLink>
      <ButtonLink to="/marketplace" className="max-sm:hidden">
        Deploy New Strategy
      </ButtonLink>
    </>
  );
}
