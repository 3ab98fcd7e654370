import type { StrategyPerformance } from '#contract/strategies/strategies.ts';

/** The record without the days that a deciding model may know; from the last of them on, which the first return is measured from. */
export function afterKnown(performance: StrategyPerformance): StrategyPerformance {
  const { known_until: until, labels, data, benchmark, drawdown } = performance;
  if (until === null) return performance;
  const first = lastUntil(labels, until);
  const fall = lastUntil(drawdown.labels, until);
  return {
    ...performance,
    labels: labels.slice(first),
    data: data.slice(first),
    benchmark: benchmark.slice(first),
    drawdown: {
      labels: drawdown.labels.slice(fall),
      data_drawdown: drawdown.data_drawdown.slice(fall),
    },
  };
}

function lastUntil(labels: readonly string[], until: string): number {
  const after = labels.findIndex((label) => label.slice(0, 10) > until);
  return Math.max(0, (after < 0 ? labels.length : after) - 1);
}
