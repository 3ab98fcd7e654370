import type { Strategy } from '#contract/strategies/strategies.ts';

type Sorted = Pick<Strategy, 'risk_score' | 'min_investment' | 'backtest_results' | 'evidence'>;

/** Ways to order the marketplace; the first is the provider's own order. */
export const SORTS = [
  { value: 'all', label: 'Featured first' },
  { value: 'return', label: 'Net return' },
  { value: 'fall', label: 'Smallest worst fall' },
  { value: 'risk', label: 'Lowest risk' },
  { value: 'minimum', label: 'Lowest minimum' },
] as const;

const KEYS: Readonly<Record<string, (strategy: Sorted) => number>> = {
  // What is not measured comes last.
  return: ({ evidence }) => -(evidence.after_fee.annual_return ?? Number.NEGATIVE_INFINITY),
  fall: ({ backtest_results: results }) => Math.abs(results.max_drawdown),
  risk: ({ risk_score: score }) => score,
  minimum: ({ min_investment: minimum }) => minimum,
};

/** Stable: equal ones stay in their order. */
export function sortStrategies<S extends Sorted>(strategies: readonly S[], sort: string): readonly S[] {
  const key = KEYS[sort];
  return key === undefined ? strategies : strategies.toSorted((one, other) => key(one) - key(other));
}
