import type { ReactNode } from 'react';
import { Link } from '../../kit/control/link.tsx';
import { ErrorState } from '../../kit/state/error-state.tsx';
import { Hypothetical } from '../../kit/figure/hypothetical.tsx';
import { SectionTitle } from '../../kit/page/section-title.tsx';
import { showNumber, showPercent } from '../../kit/figure/show-figure.ts';
import { Skeleton } from '../../kit/state/skeleton.tsx';
import { SampleSplit } from '../../strategies/evidence/sample-split.tsx';
import type { SampleFigure } from '../../strategies/evidence/samples.ts';
import { useStrategy } from '../../strategies/strategy-queries.ts';
import { filledShare } from './risk-bars.ts';
import { FiguresHidden, isFiguresHidden } from '../../strategies/figures-hidden.tsx';

/** The strategy's backtested risk, as bars. */
export function RiskMetricsPanel({ strategyId }: { strategyId: string }) {
  const strategy = useStrategy(strategyId);
  const results = strategy.data?.backtest_results;
  if (isFiguresHidden(strategy.error)) return <FiguresHidden error={strategy.error} />;
  const split = (figure: SampleFigure, show: (value: number | null) => string) =>
    strategy.data && <SampleSplit strategy={strategy.data} figure={figure} show={show} />;
  return (
    <section>
      <SectionTitle
        note={
          <>
            From the strategy’s backtest, not from your account. Dashed before its rules were fixed, solid
            since. <Hypothetical />
          </>
        }
      >
        Risk Metrics
      </SectionTitle>
      {results ? (
        <div className="mt-5 grid gap-5">
          <Bar
            name="Volatility"
            text={showPercent(results.volatility)}
            share={filledShare('volatility', results.volatility)}
            split={split((part) => part.volatility, asPercent)}
          />
          <Bar
            name="Sharpe Ratio"
            text={showNumber(results.sharpe_ratio)}
            share={filledShare('sharpe', results.sharpe_ratio)}
            split={split(
              (part) => part.sharpe_ratio,
              (value) => showNumber(value),
            )}
          />
          <Bar
            name="Max Drawdown"
            text={showPercent(-Math.abs(results.max_drawdown))}
            share={filledShare('drawdown', results.max_drawdown)}
            split={split((part) => part.max_drawdown, asPercent)}
          />
          <Link
            to={`/strategy/${strategyId}`}
            className="rounded-control text-sm text-accent hover:underline"
          >
            See the strategy’s full record
          </Link>
        </div>
      ) : strategy.isError ? (
        <ErrorState title="The strategy could not be loaded" onRetry={() => void strategy.refetch()} />
      ) : (
        <Skeleton className="mt-5 h-32" />
      )}
    </section>
  );
}

const asPercent = (value: number | null) => showPercent(value);

function Bar({
  name,
  text,
  share,
  split,
}: {
  name: string;
  text: string;
  /** From 0 to 1. */
  share: number;
  /** Before and since the rules were fixed. */
  split: ReactNode;
}) {
  return (
    <div>
      <div className="flex justify-between text-sm">
        <span className="text-ink-soft">{name}</span>
        <span className="figures">{text}</span>
      </div>
      <svg viewBox="0 0 100 4" preserveAspectRatio="none" className="mt-2 h-1.5 w-full" aria-hidden="true">
        <rect width="100" height="4" rx="2" className="fill-raised" />
        <rect width={share * 100} height="4" rx="2" className="fill-ink-faint" />
      </svg>
      <div className="mt-2">{split}</div>
    </div>
  );
}
