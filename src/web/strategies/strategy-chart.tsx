import { useMemo } from 'react';
import type { StrategyPerformance } from '#contract/strategies/strategies.ts';
import { EmptyState } from '../kit/state/empty-state.tsx';
import { Hypothetical } from '../kit/figure/hypothetical.tsx';
import { PerformanceChart } from '../kit/chart/performance-chart.tsx';
import { RECORD_RANGES } from '../kit/chart/scale/time-range.ts';
import { showAsOf } from '../kit/figure/show-figure.ts';
import { TextureKey } from '../kit/figure/texture-key.tsx';
import { alignDrawdown } from './align-drawdown.ts';
import { outOfSample } from './evidence/out-of-sample.ts';

/** A strategy's record with its benchmark, and its drawdown on the same days. */
export function StrategyChart({ performance }: { performance: StrategyPerformance }) {
  const since = (performance.labels.at(-1) ?? '') > performance.committed_on;
  const drawdown = useMemo(() => alignDrawdown(performance), [performance]);
  if (performance.labels.length < 2) {
    return <EmptyState title="No record yet">The record starts with the second test day.</EmptyState>;
  }
  return (
    <PerformanceChart
      title="Performance History"
      note={
        <span className="inline-flex flex-wrap items-center gap-x-4 gap-y-1">
          <TextureKey texture="in-sample" />
          {since && <TextureKey texture="out-of-sample" />}
          <span>After commission and slippage, {showAsOf(performance.as_of)}</span>
          <Hypothetical />
        </span>
      }
      labels={performance.labels}
      data={performance.data}
      benchmark={performance.benchmark}
      benchmarkName={performance.benchmark_name ?? undefined}
      drawdown={drawdown}
      name="Strategy"
      measure="change"
      texture="in-sample"
      later={outOfSample(performance)}
      rememberAs="strategy"
      ranges={RECORD_RANGES}
      height={320}
    />
  );
}
