import type { ReactNode } from 'react';
import type { Strategy } from '#contract/strategies/strategies.ts';
import { MODEL_ROLE_WORDS } from '#rules/strategies/model-role.ts';
import { useHasProvider } from '../../call/installation.ts';
import { Link } from '../../kit/control/link.tsx';
import { Change } from '../../kit/figure/change.tsx';
import { RiskScale } from '../../kit/figure/risk-scale.tsx';
import {
  showCounted,
  showMoney,
  showNumber,
  showPercent,
  showSpan,
  showWord,
} from '../../kit/figure/show-figure.ts';
import { Sparkline } from '../../kit/figure/sparkline.tsx';
import { TextureKey } from '../../kit/figure/texture-key.tsx';
import { CapacityMark } from '../capacity.tsx';
import { ClaimMark } from '../claim/claim-mark.tsx';
import { GRADE_WORDS } from '../evidence/evidence-words.ts';
import { SampleSplit } from '../evidence/sample-split.tsx';
import { laterPoints, type SampleFigure } from '../evidence/samples.ts';

/** `fit`: whether it is open to the person. A strategy in the marketplace: its record, what it earned, and with equal weight the evidence against it. */
export function StrategyCard({ strategy, fit }: { strategy: Strategy; fit?: ReactNode }) {
  const hasProvider = useHasProvider();
  const { labels, data } = strategy.performanceChart;
  const { after_fee, out_of_sample, grade } = strategy.evidence;
  const [first, last] = [labels[0], labels.at(-1)];
  return (
    <Link
      to={`/strategy/${strategy.id}`}
      data-item
      className="group flex h-full flex-col rounded-surface border bg-surface transition-colors hover:border-control-line"
    >
      <div className="relative overflow-hidden rounded-t-surface border-b bg-ground">
        <Sparkline
          values={data}
          texture={strategy.is_walk_forward ? 'walk-forward' : 'in-sample'}
          later={laterPoints(labels, out_of_sample.from)}
          hatched
          height={112}
          className="h-28"
        />
      </div>
      <div className="flex flex-1 flex-col p-5">
        <p className="text-xs text-ink-faint">
          {showWord(strategy.strategy_type)} · {showWord(strategy.asset_class)} ·{' '}
          {strategy.market === 'us' ? 'US' : 'Global'} · {MODEL_ROLE_WORDS[strategy.model_role]}
        </p>
        <h3 className="mt-1 font-serif text-lg group-hover:text-accent">{strategy.name}</h3>
        <p className="mt-1 line-clamp-2 min-h-10 text-sm text-ink-soft">
          {strategy.shortDescription || strategy.description}
        </p>
        <p className="mt-3 flex flex-wrap items-end gap-x-4 gap-y-1">
          <RiskScale score={strategy.risk_score} />
          {fit}
          <CapacityMark strategy={strategy} />
        </p>
        <Figures strategy={strategy} />
        <p className="mt-4 border-t pt-4 text-sm text-ink-soft">
          {hasProvider && (
            <span className="block">
              <Change value={after_fee.annual_return} /> a year after the fee
            </span>
          )}
          <span className="block">
            {out_of_sample.days === 0 ? (
              'Out-of-sample: nothing yet'
            ) : (
              <>
                Out-of-sample <Change value={out_of_sample.total_return} /> in {watchedFor(out_of_sample)}
                {!out_of_sample.is_enough && ', too short'}
              </>
            )}
          </span>
          Evidence: {GRADE_WORDS[grade]}
        </p>
        {strategy.claim && <ClaimMark claim={strategy.claim} />}
        <p className="mt-auto flex items-center gap-2 pt-4 text-xs text-ink-faint">
          <TextureKey texture="in-sample" words={false} />
          Hypothetical: backtest{first && last ? ` over ${showSpan(first, last)}` : ''}
          {out_of_sample.days > 0 && `, all in-sample but the last ${watchedFor(out_of_sample)}`}
        </p>
      </div>
    </Link>
  );
}

function Figures({ strategy }: { strategy: Strategy }) {
  const results = strategy.backtest_results;
  // Before a year the figures are in-sample but for the days that the last line says.
  const split = (figure: SampleFigure, show: (value: number | null) => string) =>
    strategy.samples.out_of_sample?.annual_return != null && (
      <SampleSplit strategy={strategy} figure={figure} show={show} />
    );
  return (
    <dl className="mt-5 grid grid-cols-3 gap-x-3 gap-y-3 border-t pt-4">
      <Figure name="Annual return" split={split((part) => part.annual_return, asChange)}>
        <Change value={results.annual_return} />
      </Figure>
      <Figure name="Worst fall" split={split((part) => part.max_drawdown, asPercent)}>
        <span className="figures text-ink">{showPercent(-Math.abs(results.max_drawdown))}</span>
      </Figure>
      <Figure name="Sharpe ratio" split={split((part) => part.sharpe_ratio, asNumber)}>
        <span className="figures text-ink">{showNumber(results.sharpe_ratio)}</span>
      </Figure>
      <Figure name="Since inception" split={split((part) => part.total_return, asChange)}>
        <Change value={results.return_inception} />
      </Figure>
      <Figure name="30 days">
        <Change value={results.return_30d} />
      </Figure>
      <Figure name="Minimum">
        <span className="figures text-ink">{showMoney(strategy.min_investment, { cents: 'auto' })}</span>
      </Figure>
    </dl>
  );
}

const asChange = (value: number | null) => showPercent(value, { sign: true, decimals: 1 });
const asPercent = (value: number | null) => showPercent(value, { decimals: 1 });
const asNumber = (value: number | null) => showNumber(value);

function watchedFor({ days, months, is_enough }: Strategy['evidence']['out_of_sample']): string {
  return is_enough ? showCounted(months, 'month') : showCounted(days, 'day');
}

function Figure({
  name,
  split,
  children,
}: {
  name: string;
  /** The figure taken apart by samples. */
  split?: ReactNode;
  children: ReactNode;
}) {
  return (
    <div>
      <dt className="text-xs text-ink-faint">{name}</dt>
      <dd className="mt-0.5 text-base">{children}</dd>
      {split && <dd className="mt-1">{split}</dd>}
    </div>
  );
}
