import type { ReactNode } from 'react';
import type { Strategy } from '#contract/strategies.ts';
import { Change } from '../kit/change.tsx';
import { Hypothetical } from '../kit/hypothetical.tsx';
import { showCount, showMoney, showNumber, showPercent } from '../kit/show-figure.ts';
import { StatRow } from '../kit/stat-row.tsx';

/** Left what it earned, right what speaks against it, then how it traded. */
export function StrategyPanels({ strategy }: { strategy: Strategy }) {
  const results = strategy.backtest_results;
  const fall = Math.abs(results.max_drawdown);
  const left = strategy.min_investment * (1 - fall / 100);
  return (
    <div className="grid gap-x-12 gap-y-10 lg:grid-cols-3">
      <Panel title="Returns" lead="What it earned.">
        <StatRow label="Since inception">
          <Change value={results.return_inception} />
        </StatRow>
        <StatRow label="Annualized">
          <Change value={results.annual_return} />
        </StatRow>
        <StatRow label="30 days">
          <Change value={results.return_30d} />
        </StatRow>
        <StatRow label="Year to date">
          <Change value={results.ytd_return} />
        </StatRow>
        <StatRow label="1 year">
          <Change value={results.return_1y} />
        </StatRow>
      </Panel>
      <Panel
        title="Risk Metrics"
        lead={
          <>
            What speaks against it. In its worst fall,{' '}
            {showMoney(strategy.min_investment, { cents: 'never' })} became{' '}
            {showMoney(left, { cents: 'never' })}.
          </>
        }
      >
        <StatRow label="Max drawdown">{showPercent(-fall)}</StatRow>
        <StatRow label="Annualized volatility">{showPercent(results.volatility)}</StatRow>
        <StatRow label="Sharpe ratio">{showNumber(results.sharpe_ratio)}</StatRow>
        <StatRow label="Sortino ratio">{showNumber(results.sortino_ratio)}</StatRow>
      </Panel>
      <Panel title="Trading Statistics" lead="How it traded.">
        <StatRow label="Total trades">{showCount(results.total_trades)}</StatRow>
        <StatRow label="Win rate">{showPercent(results.win_rate)}</StatRow>
        <StatRow label="Average trade return">
          <Change value={results.average_trade_return} />
        </StatRow>
        <StatRow label="Average holding period">
          {results.average_holding_period === null
            ? '–'
            : `${showNumber(results.average_holding_period, 1)} days`}
        </StatRow>
      </Panel>
    </div>
  );
}

function Panel({ title, lead, children }: { title: string; lead: ReactNode; children: ReactNode }) {
  return (
    <section aria-label={title}>
      <div className="flex items-baseline justify-between gap-4">
        <h3 className="font-serif text-lg">{title}</h3>
        <Hypothetical />
      </div>
      <p className="mt-1 min-h-10 text-sm text-ink-faint">{lead}</p>
      <dl className="mt-3 border-t">{children}</dl>
    </section>
  );
}
