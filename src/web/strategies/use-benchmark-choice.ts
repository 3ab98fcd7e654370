import { useState } from 'react';
import type { Strategy } from '#contract/strategies/strategies.ts';
import { useStrategies, useStrategyPerformance } from './strategy-queries.ts';

const OWN = 'own';

/** Which benchmark a record is drawn against: its own, or that of another strategy; `other` is null for its own. */
export function useBenchmarkChoice(strategy: Pick<Strategy, 'benchmark_name'>) {
  const [value, onChange] = useState<string>(OWN);
  const strategies = useStrategies().data ?? [];
  const source = value === OWN ? undefined : sourceOf(strategies, value);
  const loaded = useStrategyPerformance(source?.id, 'day').data;
  const own = strategy.benchmark_name ?? 'Benchmark';
  const names = [...new Set(strategies.map((one) => one.benchmark_name))]
    .filter((name): name is string => name !== null && name !== own)
    .toSorted();
  const isOther = source !== undefined && loaded !== undefined;
  return {
    name: isOther ? value : own,
    other: isOther ? { labels: loaded.labels, values: loaded.benchmark } : null,
    choice: {
      options: [{ value: OWN, label: own }, ...names.map((name) => ({ value: name, label: name }))],
      value,
      onChange,
    },
  };
}

/** The strategy with the longest record against this benchmark. */
function sourceOf(strategies: readonly Strategy[], name: string): Strategy | undefined {
  const begun = ({ performanceChart: { labels } }: Strategy) => labels[0] ?? '9';
  return strategies
    .filter((one) => one.benchmark_name === name)
    .toSorted((one, other) => (begun(one) < begun(other) ? -1 : 1))[0];
}
