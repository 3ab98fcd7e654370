import type { Deployment } from '#contract/deployments.ts';
import { hasEnded } from '#engine/lifecycle/status.ts';
import { ReturnBridgePanel } from '../../bridge/return-bridge-panel.tsx';
import { useHasProvider } from '../../call/installation.ts';
import { CashLedgerPanel } from '../../deployments/cash-ledger.tsx';
import { ClosedTradesTable, SaveCsv } from '../../deployments/closed-trades.tsx';
import { useDeploymentTrades } from '../../deployments/deployment-queries.ts';
import { LimitsPanel } from '../../deployments/limits-panel.tsx';
import { PositionTable } from '../../deployments/position-table.tsx';
import { ShadowComparison } from '../../deployments/shadow-comparison.tsx';
import { Timeline } from '../../deployments/timeline.tsx';
import { TradeTable } from '../../deployments/trade-table.tsx';
import { ExpectationPanel } from '../../expectation/expectation-panel.tsx';
import { FeePanel } from '../../fees/fee-panel.tsx';
import { Tabs } from '../../kit/control/tabs.tsx';
import { showCounted, showDateTime } from '../../kit/figure/show-figure.ts';
import { SectionTitle } from '../../kit/page/section-title.tsx';
import { useSearchParams } from '../../kit/page/use-search-params.ts';
import { ErrorState } from '../../kit/state/error-state.tsx';
import { Skeleton } from '../../kit/state/skeleton.tsx';
import { RiskMetricsPanel } from './risk-metrics-panel.tsx';

const TABS = {
  positions: { label: 'Positions', content: PositionsTab },
  timeline: {
    label: 'Timeline',
    content: ({ deployment }: Props) => <Timeline deploymentId={deployment.id} />,
  },
  trades: { label: 'Closed trades', content: TradesTab },
  explained: { label: 'Why this result', content: ExplainedTab },
  cash: { label: 'Cash', content: CashTab },
  limits: { label: 'Limits and risk', content: LimitsTab },
} as const;

export type DeploymentTab = keyof typeof TABS;
type Props = { readonly deployment: Deployment };

/** What is behind the first figures. Each part has its own address, so that it can be linked to and left by the back button. */
export function DeploymentTabs({
  deployment,
  shown,
  onShow,
}: Props & { readonly shown: DeploymentTab; readonly onShow: (tab: DeploymentTab) => void }) {
  const { content: Content } = TABS[shown];
  const hasFees = useHasFees(deployment);
  return (
    <div id={PLACE} className="min-w-0 scroll-mt-20">
      <Tabs
        label="Details"
        tabs={Object.entries(TABS).map(([value, { label }]) => ({
          value,
          label: value === 'cash' && hasFees ? 'Cash and fees' : label,
          content: <Content deployment={deployment} />,
        }))}
        value={shown}
        onChange={(tab) => onShow(tab as DeploymentTab)}
      />
    </div>
  );
}

/** Which part the address asks for; `open` also goes to where it is. */
export function useDeploymentTab(): {
  readonly shown: DeploymentTab;
  readonly show: (tab: DeploymentTab) => void;
  readonly open: (tab: DeploymentTab) => void;
} {
  const [params, setParams] = useSearchParams();
  const asked = params.get('tab') ?? '';
  const show = (tab: DeploymentTab) =>
    setParams((present) => new URLSearchParams({ ...Object.fromEntries(present), tab }));
  return {
    shown: asked in TABS ? (asked as DeploymentTab) : 'positions',
    show,
    open: (tab) => {
      show(tab);
      document.getElementById(PLACE)?.scrollIntoView();
    },
  };
}

const PLACE = 'details';
const NEWEST_FEE_BILLS = 6;

function PositionsTab({ deployment }: Props) {
  return (
    <div className="grid grid-cols-1 gap-10">
      <section className="grid grid-cols-1 gap-4">
        <SectionTitle
          note={`${showCounted(deployment.open_positions, 'position')}, priced ${showDateTime(deployment.as_of)}`}
        >
          Active Positions
        </SectionTitle>
        <PositionTable positions={deployment.positions} mode={deployment.mode} />
      </section>
      <Orders deploymentId={deployment.id} />
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

function TradesTab({ deployment }: Props) {
  return (
    <section className="grid grid-cols-1 gap-4">
      <SectionTitle
        note="Each from its first entry until nothing of it was left, net of commission. Newest first."
        aside={<SaveCsv of="downloadClosedTrades" deploymentId={deployment.id} />}
      >
        Closed Trades
      </SectionTitle>
      <ClosedTradesTable deploymentId={deployment.id} />
    </section>
  );
}

function ExplainedTab({ deployment }: Props) {
  return (
    <div className="grid grid-cols-1 gap-10">
      <ShadowComparison deployment={deployment} />
      <ReturnBridgePanel deployment={deployment} />
      <ExpectationPanel deployment={deployment} />
    </div>
  );
}

function CashTab({ deployment }: Props) {
  const hasFees = useHasFees(deployment);
  return (
    <div className="grid grid-cols-1 gap-10">
      <CashLedgerPanel deploymentId={deployment.id} />
      {hasFees && (
        <FeePanel
          deploymentId={deployment.id}
          isOwnStrategy={deployment.is_own_strategy}
          now={hasEnded(deployment.status) ? null : deployment}
          limit={NEWEST_FEE_BILLS}
        />
      )}
    </div>
  );
}

function useHasFees({ mode }: Deployment): boolean {
  const hasProvider = useHasProvider();
  return hasProvider && mode !== 'practice';
}

function LimitsTab({ deployment }: Props) {
  return (
    <div className="grid gap-10 lg:grid-cols-2">
      <LimitsPanel deployment={deployment} />
      <RiskMetricsPanel strategyId={deployment.strategy} />
    </div>
  );
}
