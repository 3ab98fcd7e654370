import type { Strategy } from '#contract/strategies/strategies.ts';

type Choice = { readonly value: string; readonly label: string };

/** Filter values and their order (specification section 9). */
export const MARKET_FILTERS: readonly Choice[] = [
  { value: 'all', label: 'All markets' },
  { value: 'stocks', label: 'Equity/Stocks' },
  { value: 'forex', label: 'Forex' },
  { value: 'futures', label: 'Futures' },
  { value: 'options', label: 'Options' },
  { value: 'crypto', label: 'Crypto' },
];
export const RISK_FILTERS: readonly Choice[] = [
  { value: 'all', label: 'All risk levels' },
  { value: 'low', label: 'Low risk' },
  { value: 'medium', label: 'Medium risk' },
  { value: 'high', label: 'High risk' },
];
export const TYPE_FILTERS: readonly Choice[] = [
  { value: 'all', label: 'All types' },
  { value: 'deep_learning', label: 'Deep learning' },
  { value: 'ml_based', label: 'ML based' },
  { value: 'hybrid', label: 'Hybrid' },
  { value: 'momentum', label: 'Momentum' },
  { value: 'mean_reversion', label: 'Mean reversion' },
  { value: 'trend_following', label: 'Trend following' },
  { value: 'arbitrage', label: 'Arbitrage' },
];

export type StrategyFilter = {
  readonly search: string;
  readonly market: string;
  readonly risk: string;
  readonly type: string;
};

type Filtered = Pick<
  Strategy,
  'name' | 'description' | 'shortDescription' | 'asset_class' | 'risk_level' | 'strategy_type'
>;

/** The strategies that meet every filter; the text matches name and description, ignoring case. */
export function filterStrategies<S extends Filtered>(strategies: readonly S[], filter: StrategyFilter): S[] {
  const text = filter.search.trim().toLowerCase();
  const kind = filter.market === 'stocks' ? 'equity' : filter.market;
  return strategies.filter(
    (strategy) =>
      (kind === 'all' || strategy.asset_class === kind) &&
      (filter.risk === 'all' || strategy.risk_level === filter.risk) &&
      (filter.type === 'all' || strategy.strategy_type === filter.type) &&
      [strategy.name, strategy.description, strategy.shortDescription].some((part) =>
        part.toLowerCase().includes(text),
      ),
  );
}
