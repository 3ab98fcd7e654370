import type { Strategy } from '#contract/strategies/strategies.ts';
import { Change } from '../../../kit/figure/change.tsx';
import { RiskScale } from '../../../kit/figure/risk-scale.tsx';
import { showMoney, showPercent } from '../../../kit/figure/show-figure.ts';
import { Sparkline } from '../../../kit/figure/sparkline.tsx';
import { Stat } from '../../../kit/figure/stat.tsx';
import { laterPoints } from '../../../strategies/evidence/samples.ts';

export function ChooseScene({ strategy }: { strategy: Strategy }) {
  const results = strategy.backtest_results;
  return (
    <div className="mx-auto max-w-md animate-rise rounded-surface border bg-surface">
      <Sparkline
        values={strategy.performanceChart.data}
        texture="in-sample"
        later={laterPoints(strategy.performanceChart.labels, strategy.evidence.out_of_sample.from)}
        hatched
        className="h-14"
      />
      <div className="px-5 py-3">
        <p className="font-serif text-lg">{strategy.name}</p>
        <p className="mt-1 line-clamp-1 text-sm text-ink-soft">{strategy.shortDescription}</p>
        <p className="mt-3">
          <RiskScale score={strategy.risk_score} />
        </p>
        <dl className="mt-3 grid grid-cols-3 border-t pt-3">
          <Stat label="Annual return" size="small">
            <Change value={results.annual_return} />
          </Stat>
          <Stat label="Worst fall" size="small">
            {showPercent(-Math.abs(results.max_drawdown))}
          </Stat>
          <Stat label="Minimum" size="small">
            {showMoney(strategy.min_investment, { cents: 'auto' })}
          </Stat>
        </dl>
      </div>
    </div>
  );
}
