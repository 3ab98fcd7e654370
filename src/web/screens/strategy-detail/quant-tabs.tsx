import type { ReactNode } from 'react';
import type { Strategy, StrategyDetail } from '#contract/strategies/strategies.ts';
import { Tabs } from '../../kit/control/tabs.tsx';
import { HeatTable } from '../../kit/figure/heat-table.tsx';
import { Hypothetical } from '../../kit/figure/hypothetical.tsx';
import { showDate } from '../../kit/figure/show-figure.ts';
import { SectionTitle } from '../../kit/page/section-title.tsx';
import { useSearchParams } from '../../kit/page/use-search-params.ts';
import { ErrorState } from '../../kit/state/error-state.tsx';
import { Skeleton } from '../../kit/state/skeleton.tsx';
import { Alternatives } from '../../rehearsal/rehearsal-result.tsx';
import { HoldingsTable } from '../../rehearsal/holdings-table.tsx';
import { LimitRecord } from '../../rehearsal/limit-record.tsx';
import type { OwnTerms } from '../../rehearsal/use-own-terms.ts';
import type { RehearsalState } from '../../rehearsal/use-rehearsal.ts';
import { AllMeasures } from '../../strategies/evidence/all-measures.tsx';
import { EvidencePanel } from '../../strategies/evidence/evidence-panel.tsx';
import { EvidenceStrip } from '../../strategies/evidence/evidence-strip.tsx';
import { DeciderSection } from '../../strategies/decider/decider-section.tsx';
import { DeployNow } from '../../strategies/deploy-now.tsx';
import { ModelSection } from '../../strategies/model/model-section.tsx';
import { RecentTrades } from '../../strategies/recent-trades.tsx';
import { StrategyHeadlines } from '../../strategies/strategy-headlines.tsx';
import { ReturnPanels, TradingStatistics } from '../../strategies/strategy-panels.tsx';
import { useStrategyPerformance } from '../../strategies/strategy-queries.ts';
import { TradeLogLink } from '../../strategies/trade-log-link.tsx';
import { fromMicro } from '#units/money.ts';
import { RulesTab } from './rules-tab.tsx';

type Props = { readonly strategy: StrategyDetail; readonly own: OwnTerms; readonly state: RehearsalState };

/** What a quant asks for. Each part has its own address, so that it can be linked to and left by the back button. */
export function QuantTabs(props: Props) {
  const { strategy } = props;
  const [params, setParams] = useSearchParams();
  const tabs = tabsOf(props);
  const asked = params.get('tab');
  const value = tabs.some((tab) => tab.value === asked) ? asked! : tabs[0]!.value;
  return (
    <Tabs
      label="Details"
      tabs={tabs}
      value={value}
      onChange={(tab) => setParams((present) => new URLSearchParams({ ...Object.fromEntries(present), tab }))}
      aside={
        <span className="max-sm:hidden">
          <DeployNow strategy={strategy} size="small" />
        </span>
      }
    />
  );
}

function tabsOf({
  strategy,
  own,
  state,
}: Props): readonly { value: string; label: string; content: ReactNode }[] {
  return [
    { value: 'evidence', label: 'Evidence', content: <EvidenceTab strategy={strategy} /> },
    { value: 'returns', label: 'Returns', content: <ReturnsTab strategy={strategy} /> },
    { value: 'trades', label: 'Trades', content: <TradesTab strategy={strategy} /> },
    { value: 'limits', label: 'Your limits', content: <LimitsTab own={own} state={state} /> },
    ...(strategy.decider
      ? [
          {
            value: 'model',
            label: 'Model',
            content: <DeciderSection strategy={strategy} decider={strategy.decider} />,
          },
        ]
      : []),
    ...(strategy.is_walk_forward
      ? [{ value: 'model', label: 'Model', content: <ModelSection strategy={strategy} /> }]
      : []),
    { value: 'holdings', label: 'Holdings today', content: <HoldingsTable state={state} /> },
    { value: 'rules', label: 'Rules in words', content: <RulesTab strategy={strategy} /> },
  ];
}

function EvidenceTab({ strategy }: { strategy: Strategy }) {
  return (
    <div className="grid grid-cols-1 gap-10">
      <EvidencePanel evidence={strategy.evidence} />
      <EvidenceStrip strategy={strategy} />
    </div>
  );
}

function ReturnsTab({ strategy }: { strategy: Strategy }) {
  const { data: performance, isError, refetch } = useStrategyPerformance(strategy.id, 'day');
  return (
    <section aria-labelledby="backtest-results" className="grid grid-cols-1 gap-10">
      <SectionTitle id="backtest-results" note={<Hypothetical />}>
        Backtest Results
      </SectionTitle>
      <StrategyHeadlines strategy={strategy} isWhole />
      <ReturnPanels strategy={strategy} />
      {isError && <ErrorState title="Failed to load the monthly returns" onRetry={() => void refetch()} />}
      {performance && (
        <div>
          <h3 className="mb-3 text-base font-medium">
            Monthly Returns <span className="text-sm font-normal text-ink-faint">in percent</span>
          </h3>
          <HeatTable
            caption="Monthly Returns"
            years={performance.monthly_returns}
            outlinedFrom={performance.committed_on.slice(0, 7)}
          />
          <p className="mt-2 text-xs text-ink-faint">
            Outlined months are out-of-sample: the rules were fixed on {showDate(performance.committed_on)}.
          </p>
        </div>
      )}
      <AllMeasures strategy={strategy} />
    </section>
  );
}

function TradesTab({ strategy }: { strategy: Strategy }) {
  const { data: performance, isError, refetch } = useStrategyPerformance(strategy.id, 'day');
  return (
    <div className="grid gap-x-12 gap-y-10 lg:grid-cols-[minmax(0,1fr)_minmax(0,2fr)]">
      <TradingStatistics strategy={strategy} />
      <div className="min-w-0">
        <div className="mb-3 flex flex-wrap items-center justify-between gap-4">
          <h3 className="text-base font-medium">Recent Trades</h3>
          <TradeLogLink strategy={strategy} />
        </div>
        {isError && <ErrorState title="Failed to load the trades" onRetry={() => void refetch()} />}
        {performance && (
          <RecentTrades trades={performance.recent_trades} committedOn={performance.committed_on} />
        )}
      </div>
    </div>
  );
}

function LimitsTab({ own, state }: { own: OwnTerms; state: RehearsalState }) {
  if (state.at !== 'done') {
    return state.at === 'failed' ? (
      <p className="text-ink-soft">{state.message}</p>
    ) : (
      <Skeleton className="h-72" />
    );
  }
  if (state.rehearsal.fills === 0)
    return <p className="text-ink-soft">With these limits the strategy would never have traded.</p>;
  return (
    <div className="grid gap-x-12 gap-y-8 lg:grid-cols-2">
      <LimitRecord rehearsal={state.rehearsal} terms={state.terms} />
      <div>
        <h3 className="text-base font-medium">How much of it was luck of the order</h3>
        <div className="mt-2">
          <Alternatives
            rehearsal={state.rehearsal}
            amount={fromMicro(own.terms?.amount ?? state.terms.amount)}
          />
        </div>
      </div>
    </div>
  );
}
