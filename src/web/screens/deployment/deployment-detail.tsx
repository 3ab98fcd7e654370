import { ArrowLeft } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useParams } from 'react-router';
import type { Deployment } from '#contract/deployments.ts';
import type { Trade } from '#contract/trade.ts';
import { hasEnded } from '#engine/lifecycle/status.ts';
import { AgreementNotice } from '../../agreements/agreement-changes.tsx';
import { ReturnBridgePanel } from '../../bridge/return-bridge-panel.tsx';
import { needsSignIn, SessionNotice } from '../../brokerage/session-notice.tsx';
import { TooFewPoints } from '../../deployments/too-few-points.tsx';
import { Link } from '../../kit/control/link.tsx';
import { CallError } from '../../call/call-error.ts';
import { CashLedgerPanel } from '../../deployments/cash-ledger.tsx';
import { ClosedTradesTable, SaveCsv } from '../../deployments/closed-trades.tsx';
import { DeploymentControls } from '../../deployments/deployment-controls.tsx';
import { MoneyButton, PendingFlowNotice } from '../../deployments/flows/money-controls.tsx';
import { investedBy, profitOf } from '../../deployments/deployment-figures.ts';
import {
  useDeployment,
  useDeploymentPerformance,
  useDeploymentTrades,
} from '../../deployments/deployment-queries.ts';
import { useHasProvider } from '../../call/installation.ts';
import { ExpectationPanel } from '../../expectation/expectation-panel.tsx';
import { useExpectedLines } from '../../expectation/use-expected-lines.ts';
import { FinalStatement } from '../../fees/final-statement.tsx';
import { FeePanel } from '../../fees/fee-panel.tsx';
import { UnpaidFeeNotice } from '../../fees/unpaid-fee-notice.tsx';
import { LimitsPanel } from '../../deployments/limits-panel.tsx';
import { PositionTable } from '../../deployments/position-table.tsx';
import { RiskMetricsPanel } from './risk-metrics-panel.tsx';
import { ModeBadge } from '../../deployments/mode-badge.tsx';
import { PracticeNotice } from '../../deployments/practice-notice.tsx';
import { ReceiptSheet } from '../../deployments/receipt-sheet.tsx';
import { PromoteButton } from './promote-button.tsx';
import { ShadowComparison } from '../../deployments/shadow-comparison.tsx';
import { StatusBadge } from '../../deployments/status-badge.tsx';
import { ValueOfMode } from '../../deployments/value-of-mode.tsx';
import { TradeTable } from '../../deployments/trade-table.tsx';
import { Timeline } from '../../deployments/timeline.tsx';
import { ButtonLink } from '../../kit/control/button-link.tsx';
import { Change } from '../../kit/figure/change.tsx';
import type { ChartMark } from '../../kit/chart/scale/chart-marks.ts';
import { endNow } from '../../kit/chart/scale/end-now.ts';
import type { TimeRange } from '../../kit/chart/scale/time-range.ts';
import { ErrorState } from '../../kit/state/error-state.tsx';
import { LoadingText } from '../../kit/state/loading-text.tsx';
import { Notice } from '../../kit/state/notice.tsx';
import { AfterFirstFigures } from '../../kit/page/after-first-figures.tsx';
import { PageTitle } from '../../kit/page/page-title.tsx';
import { PerformanceChart } from '../../kit/chart/performance-chart.tsx';
import { SectionTitle } from '../../kit/page/section-title.tsx';
import {
  showAsOf,
  showCounted,
  showDate,
  showDateTime,
  showMoney,
  showPercent,
  showPrice,
  showQuantity,
} from '../../kit/figure/show-figure.ts';
import { Skeleton } from '../../kit/state/skeleton.tsx';
import { Stat } from '../../kit/figure/stat.tsx';
import { TextureKey } from '../../kit/figure/texture-key.tsx';
import { usePageTitle } from '../../kit/page/use-page-title.ts';

const NEWEST_FEE_BILLS = 6;

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
  const hasProvider = useHasProvider();
  return (
    <div className="grid gap-10">
      <Heading deployment={deployment} refreshing={refreshing} stale={stale} />
      <PracticeNotice deployment={deployment} />
      <Figures deployment={deployment} />
      <AfterFirstFigures>
        <Value deployment={deployment} />
        <ShadowComparison deployment={deployment} />
        <ReturnBridgePanel deployment={deployment} />
        <section className="grid gap-4">
          <SectionTitle
            note={`${showCounted(deployment.open_positions, 'position')}, priced ${showDateTime(deployment.as_of)}`}
          >
            Active Positions
          </SectionTitle>
          <PositionTable positions={deployment.positions} mode={deployment.mode} />
        </section>
        <Timeline deploymentId={deployment.id} />
        <section className="grid gap-4">
          <SectionTitle
            note="Each from its first entry until nothing of it was left, net of commission. Newest first."
            aside={<SaveCsv of="downloadClosedTrades" deploymentId={deployment.id} />}
          >
            Closed Trades
          </SectionTitle>
          <ClosedTradesTable deploymentId={deployment.id} />
        </section>
        <Orders deploymentId={deployment.id} />
        <CashLedgerPanel deploymentId={deployment.id} />
        {hasEnded(deployment.status) && deployment.mode !== 'practice' && (
          <FinalStatement deploymentId={deployment.id} />
        )}
        {hasProvider && deployment.mode !== 'practice' && (
          <FeePanel
            deploymentId={deployment.id}
            now={hasEnded(deployment.status) ? null : deployment}
            limit={NEWEST_FEE_BILLS}
          />
        )}
        <div className="grid gap-10 lg:grid-cols-2">
          <RiskMetricsPanel strategyId={deployment.strategy} />
          <LimitsPanel deployment={deployment} />
        </div>
      </AfterFirstFigures>
    </div>
  );
}

function Orders({ deploymentId }: { deploymentId: string }) {
  const trades = useDeploymentTrades(deploymentId);
  return (
    <section className="grid gap-4">
      <SectionTitle
        note="All orders, newest first. The mark at the end of a row shows why it was placed."
        aside={<SaveCsv of="downloadDeploymentTrades" deploymentId={deploymentId} />}
      >
        Trades History
      </SectionTitle>
      {trades.data ? (
        <TradeTable trades={trades.data} />
      ) : trades.isError ? (
        <ErrorState title="The orders could not be loaded" onRetry={() => void trades.refetch()} />
      ) : (
        <Skeleton className="h-48" />
      )}
    </section>
  );
}

function Heading({
  deployment,
  refreshing,
  stale,
}: {
  deployment: Deployment;
  refreshing: boolean;
  stale: boolean;
}) {
  return (
    <div className="grid gap-4">
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
        actions={
          <>
            <PromoteButton deployment={deployment} />
            <DeploymentControls deployment={deployment} />
            <MoneyButton deployment={deployment} />
          </>
        }
      >
        {deployment.strategy_name}
      </PageTitle>
      {deployment.status_reason && (
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
      {stale && (
        <Notice tone="caution" title="These figures could not be refreshed">
          They are {showAsOf(deployment.as_of)} and we retry every few seconds. Trading does not depend on
          this page.
        </Notice>
      )}
    </div>
  );
}

function Figures({ deployment }: { deployment: Deployment }) {
  const stopLoss = showPercent(deployment.stop_loss_percentage, { decimals: 0 });
  const isPractice = deployment.mode === 'practice';
  return (
    <section aria-label="Figures" className="grid gap-8 border-y py-8 lg:grid-cols-[minmax(16rem,1fr)_2fr]">
      <div>
        <dl>
          <Stat
            label={isPractice ? 'Practice Value' : 'Current Value'}
            size="large"
            note={
              <>
                <Change value={profitOf(deployment)} unit="money" />{' '}
                <Change value={deployment.return_percent} />{' '}
                {deployment.flows.length > 0
                  ? 'time-weighted'
                  : isPractice
                    ? 'of practice money'
                    : 'of your investment'}
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
      </div>
      <dl className="grid grid-cols-2 gap-x-6 gap-y-6 sm:grid-cols-4">
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

/** Each order that was filled, on the day of its last fill. */
function marksOf(trades: readonly Trade[]): readonly ChartMark[] {
  return trades.flatMap(({ id, executed_at: day, trade_type: side, quantity, ticker, price }) =>
    day === null
      ? []
      : [
          {
            id,
            day,
            side,
            text: `${side === 'buy' ? 'Bought' : 'Sold'} ${showQuantity(quantity)} ${ticker} at ${showPrice(price)}`,
          },
        ],
  );
}

/** What it is worth, and what it was expected to be. */
function Value({ deployment }: { deployment: Deployment }) {
  return (
    <>
      <ValueChart deployment={deployment} />
      <ExpectationPanel deployment={deployment} />
    </>
  );
}

function ValueChart({ deployment }: { deployment: Deployment }) {
  const [range, setRange] = useState<TimeRange>('ALL');
  const performance = useDeploymentPerformance(deployment.id, range);
  const { data } = performance;
  const { equity, as_of: asOf } = deployment;
  const isPractice = deployment.mode === 'practice';
  const series = useMemo(() => data && endNow(data, { value: equity, asOf }), [data, equity, asOf]);
  const expected = useExpectedLines(deployment, series);
  const trades = useDeploymentTrades(deployment.id).data;
  const marks = useMemo(() => marksOf(trades ?? []), [trades]);
  const [opened, setOpened] = useState<string | null>(null);
  const openMark = ({ id }: ChartMark) => {
    const decision = trades?.find((trade) => trade.id === id)?.decision ?? null;
    // An exit has no receipt: the timeline says why it was made.
    if (decision === null) document.getElementById('timeline')?.scrollIntoView();
    else setOpened(decision);
  };
  if (performance.isPending) return <Skeleton className="h-80" />;
  if (series === undefined) {
    return (
      <ErrorState title="The performance could not be loaded" onRetry={() => void performance.refetch()} />
    );
  }
  // Specification section 9: a performance chart needs more than 2 points.
  if (series.labels.length <= 2 && range === 'ALL') {
    return <TooFewPoints title="Performance" />;
  }
  return (
    <>
      <PerformanceChart
        title="Performance"
        note={`Value of this deployment${isPractice ? ', in practice money,' : ''} at each market close, and now`}
        labels={series.labels}
        data={series.data}
        benchmark={series.benchmark}
        benchmarkName={series.benchmark_name ?? undefined}
        name={isPractice ? 'Practice' : 'Yours'}
        measure="money"
        invested={investedBy(series.labels, [deployment])}
        texture={isPractice ? 'practice' : 'live'}
        expected={expected}
        marks={marks}
        onMark={openMark}
        rememberAs="deployment"
        range={range}
        onRange={setRange}
        height={300}
      />
      <ReceiptSheet deploymentId={deployment.id} decision={opened} onClose={() => setOpened(null)} />
    </>
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
