import type { StrategyPerformance } from '#contract/strategies/strategies.ts';

/** The part of a record after its rules were committed: they were chosen without knowing these days. */
export function outOfSample(performance: Pick<StrategyPerformance, 'committed_on'>) {
  return { after: performance.committed_on, texture: 'out-of-sample' } as const;
}
