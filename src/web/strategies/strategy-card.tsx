import { Link } from 'react-router';
import type { Strategy } from '#contract/strategies.ts';
import { Change } from '../kit/change.tsx';
import { RiskScale } from '../kit/risk-scale.tsx';
import { showCounted, showMoney, showNumber, showPercent, showSpan, showWord } from '../kit/show-figure.ts';
import { Sparkline } from '../kit/sparkline.tsx';
import { TextureKey } from '../kit/texture-key.tsx';
import { GRADE_WORDS } from './evidence-words.ts';

/** A strategy in the marketplace: its own record, what it earned, and at equal weight what speaks against it. */
export function StrategyCard({ strategy }: { strategy: Strategy }) {
  const { labels, data } = strategy.performanceChart;
  const results = strategy.backtest_results;
  const { after_fee, out_of_sample, grade } = strategy.evidence;
  const [first, last] = [labels[0], labels.at(-1)];
  return (
    <Link
      to={`/strategy/${strategy.id}`}
      className="group flex h-full flex-col rounded-surface border bg-surface transition-colors hover:border-control-line"
    >
      <div className="relative overflow-hidden rounded-t-surface border-b bg-ground">
        <Sparkline
          values={data}
          texture="in-sample"
          later={laterOf(labels, out_of_sample.from)}
          hatched
          height={112}
          className="h-28"
        />
      </div>
      <div className="flex flex-1 flex-col p-5">
        <p className="text-xs text-ink-faint">
          {showWord(strategy.strategy_type)} · {showWord(strategy.asset_class)} ·{' '}
          {strategy.market === 'us' ? 'US' : 'Global'}
        </p>
        <h3 className="mt-1 font-serif text-lg group-hover:text-accent">{strategy.name}</h3>
        <p className="mt-1 line-clamp-2 min-h-10 text-sm text-ink-soft">
          {strategy.shortDescription || strategy.description}
        </p>
        <p className="mt-3">
          <RiskScale score={strategy.risk_score} />
        </p>
        <dl className="mt-5 grid grid-cols-3 gap-x-3 gap-y-3 border-t pt-4">
          <Figure name="Annual return">
            <Change value={results.annual_return} />
          </Figure>
          <Figure name="Worst fall">
            <span className="figures text-ink">{showPercent(-Math.abs(results.max_drawdown))}</span>
          </Figure>
          <Figure name="Sharpe ratio">
            <span className="figures text-ink">{showNumber(results.sharpe_ratio)}</span>
          </Figure>
          <Figure name="Since inception">
            <Change value={results.return_inception} />
          </Figure>
          <Figure name="30 days">
            <Change value={results.return_30d} />
          </Figure>
          <Figure name="Minimum">
            <span className="figures text-ink">{showMoney(strategy.min_investment, { cents: 'auto' })}</span>
          </Figure>
        </dl>
        <p className="mt-4 border-t pt-4 text-sm text-ink-soft">
          <span className="block">
            <Change value={after_fee.annual_return} /> a year after the fee
          </span>
          Out-of-sample {watchedFor(out_of_sample)} · evidence: {GRADE_WORDS[grade]}
        </p>
        <p className="mt-auto flex items-center gap-2 pt-4 text-xs text-ink-faint">
          <TextureKey texture="in-sample" words={false} />
          Hypothetical: backtest{first && last ? ` over ${showSpan(first, last)}` : ''}
        </p>
      </div>
    </Link>
  );
}

function laterOf(labels: readonly string[], committedAt: string) {
  const from = labels.findIndex((label) => label > committedAt.slice(0, 10));
  return from < 0 ? undefined : ({ from, texture: 'out-of-sample' } as const);
}

function watchedFor({ days, months, is_enough }: Strategy['evidence']['out_of_sample']): string {
  return is_enough ? showCounted(months, 'month') : showCounted(days, 'day');
}

function Figure({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <div>
      <dt className="text-xs text-ink-faint">{name}</dt>
      <dd className="mt-0.5 text-base">{children}</dd>
    </div>
  );
}
