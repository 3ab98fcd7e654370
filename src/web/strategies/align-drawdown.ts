import type { StrategyPerformance } from '#contract/strategies/strategies.ts';

/** The drawdown series on the days of the main series; null where it has no value for a day. */
export function alignDrawdown(performance: StrategyPerformance): (number | null)[] {
  const { labels, data_drawdown } = performance.drawdown;
  const byDay = new Map(labels.map((label, i) => [label, data_drawdown[i] ?? null]));
  return performance.labels.map((label) => byDay.get(label) ?? null);
}
