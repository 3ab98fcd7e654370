import type { ReactNode } from 'react';
import type { Strategy } from '#contract/strategies/strategies.ts';
import { Hypothetical } from '../kit/figure/hypothetical.tsx';
import { showCount, showMoney, showNumber, showPercent, showShare } from '../kit/figure/show-figure.ts';
import { SampleRow, SampleTable, SpanRow } from './evidence/sample-table.tsx';

/** Left what it earned, right what that cost in falls and swings; each before and since the commit. */
export function ReturnPanels({ strategy }: { strategy: Strategy }) {
  return (
    <div className="grid gap-x-12 gap-y-10 lg:grid-cols-2">
      <Returns strategy={strategy} />
      <Risk strategy={strategy} />
    </div>
  );
}

function Returns({ strategy }: { strategy: Strategy }) {
  const { backtest_results: results, as_of, fees } = strategy;
  return (
    <Panel
      title="Returns"
      lead={fees > 0 ? 'Returns before the performance fee.' : 'Returns after costs.'}
      strategy={strategy}
    >
      <SampleRow label="Since inception" strategy={strategy} figure={(part) => part.total_return} always />
      {fees > 0 && (
        <SampleRow
          label="After the fee"
          strategy={strategy}
          figure={(part) => part.total_return_after_fee}
          always
        />
      )}
      <SampleRow label="Annualized" strategy={strategy} figure={(part) => part.annual_return} yearly />
      <SpanRow label="30 days" strategy={strategy} since={daysBefore(as_of, 30)} value={results.return_30d} />
      <SpanRow
        label="Year to date"
        strategy={strategy}
        since={`${as_of.slice(0, 4)}-01-01`}
        value={results.ytd_return}
      />
      <SpanRow label="1 year" strategy={strategy} since={daysBefore(as_of, 365)} value={results.return_1y} />
    </Panel>
  );
}

function Risk({ strategy }: { strategy: Strategy }) {
  const fall = Math.abs(strategy.backtest_results.max_drawdown);
  const left = strategy.min_investment * (1 - fall / 100);
  return (
    <Panel
      title="Risk Metrics"
      lead={
        <>
          What speaks against it. In its worst fall, {showMoney(strategy.min_investment, { cents: 'never' })}{' '}
          became {showMoney(left, { cents: 'never' })}.
        </>
      }
      strategy={strategy}
    >
      <SampleRow
        label="Max drawdown"
        strategy={strategy}
        figure={(part) => part.max_drawdown}
        show={asPercent}
      />
      <SampleRow
        label="Annualized volatility"
        strategy={strategy}
        figure={(part) => part.volatility}
        show={asPercent}
      />
      <SampleRow
        label="Sharpe ratio"
        strategy={strategy}
        figure={(part) => part.sharpe_ratio}
        show={asNumber}
        yearly
      />
      <SampleRow
        label="Sortino ratio"
        strategy={strategy}
        figure={(part) => part.sortino_ratio}
        show={asNumber}
        yearly
      />
    </Panel>
  );
}

export function TradingStatistics({ strategy }: { strategy: Strategy }) {
  return (
    <Panel title="Trading Statistics" lead={`How it traded.${sizesText(strategy)}`} strategy={strategy}>
      <SampleRow
        label="Total trades"
        strategy={strategy}
        figure={(part) => part.total_trades}
        show={(value) => showCount(value)}
        always
      />
      <SampleRow label="Win rate" strategy={strategy} figure={(part) => part.win_rate} show={asPercent} />
      <SampleRow
        label="Average trade return"
        strategy={strategy}
        figure={(part) => part.average_trade_return}
      />
      <SampleRow
        label="Average holding period"
        strategy={strategy}
        figure={(part) => part.average_holding_period}
        show={(value) => (value === null ? '–' : `${showNumber(value, value < 100 ? 1 : 0)} days`)}
      />
    </Panel>
  );
}

function sizesText({ position_sizes: sizes }: Strategy): string {
  if (sizes === null) return '';
  const [usual, largest] = [showShare(sizes.usual), showShare(sizes.largest)];
  return usual === largest
    ? ` Its largest position is ${usual} of its money.`
    : ` Its largest position is usually ${usual} of its money, at most ${largest}.`;
}

function Panel({
  title,
  lead,
  strategy,
  children,
}: {
  title: string;
  lead: ReactNode;
  strategy: Strategy;
  children: ReactNode;
}) {
  return (
    <section aria-label={title}>
      <div className="flex items-baseline justify-between gap-4">
        <h3 className="font-serif text-lg">{title}</h3>
        <Hypothetical />
      </div>
      <p className="mt-1 min-h-10 text-sm text-ink-faint">{lead}</p>
      <SampleTable caption={title} strategy={strategy}>
        {children}
      </SampleTable>
    </section>
  );
}

const asPercent = (value: number | null) => showPercent(value);
const asNumber = (value: number | null) => showNumber(value);

function daysBefore(day: string, days: number): string {
  return new Date(Date.parse(day) - days * 86_400_000).toISOString().slice(0, 10);
}
