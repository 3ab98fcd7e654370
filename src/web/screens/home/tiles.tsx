import type { ReactNode } from 'react';
import type { Strategy } from '#contract/strategies/strategies.ts';
import { HOME_TILES, HOME_TILES_NOTE } from '#rules/provider.ts';
import { useInstallation } from '../../call/installation.ts';
import { Hypothetical } from '../../kit/figure/hypothetical.tsx';
import { showNumber, showPercent } from '../../kit/figure/show-figure.ts';
import { Stat } from '../../kit/figure/stat.tsx';
import { useStrategies } from '../../strategies/strategy-queries.ts';

/** The copy of the demonstration's provider, small and footnoted. Figures that nobody measured have no place beside real money. */
export function Tiles() {
  const means = useMeans();
  if (useInstallation() !== 'demonstration') return null;
  return (
    <section aria-label="Figures supplied by the provider" className="border-y py-6">
      <dl className="grid gap-6 sm:grid-cols-3">
        {HOME_TILES.map((tile) => (
          <Stat key={tile.label} label={`${tile.label}*`} note={means[tile.label]}>
            {tile.value}
          </Stat>
        ))}
      </dl>
      <p className="mt-5 text-xs text-ink-faint">
        * {HOME_TILES_NOTE} <Hypothetical />
      </p>
    </section>
  );
}

/** What the strategies of the marketplace make of it, beside each tile that they can answer. */
function useMeans(): Readonly<Record<string, ReactNode>> {
  const { data: strategies } = useStrategies();
  // Its line is kept free while it is not known: nothing jumps.
  if (!strategies || strategies.length === 0) return NOT_KNOWN;
  const mean = (figure: (strategy: Strategy) => number) =>
    strategies.reduce((sum, strategy) => sum + figure(strategy), 0) / strategies.length;
  const all = `The ${strategies.length} strategies here:`;
  return {
    'Average annual return': `${all} ${showPercent(
      mean((one) => one.backtest_results.annual_return),
      { decimals: 1 },
    )} a year`,
    'Average Sharpe ratio': `${all} ${showNumber(mean((one) => one.backtest_results.sharpe_ratio))}`,
  };
}

const NOT_KNOWN = { 'Average annual return': '\u00a0', 'Average Sharpe ratio': '\u00a0' } as const;
