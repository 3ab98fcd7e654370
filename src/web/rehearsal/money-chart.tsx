import { type ReactNode, useMemo } from 'react';
import type { BenchmarkChoice } from '../kit/chart/chart-controls.tsx';
import { PerformanceChart } from '../kit/chart/performance-chart.tsx';
import type { ChartMark } from '../kit/chart/scale/chart-marks.ts';
import type { Line } from '../kit/chart/scale/plot.ts';
import { RECORD_RANGES } from '../kit/chart/scale/time-range.ts';
import type { Texture } from '../kit/figure/texture.ts';
import { alignedTo, fallsOf, type MoneyLines } from './money-lines.ts';

/** `other`: a benchmark chosen instead of the strategy's own; null for its own. */
export function MoneyChart({
  title,
  note,
  lines,
  benchmarkName,
  benchmarks,
  other,
  texture,
  later,
  marks,
  onMark,
  height = 300,
}: {
  title: string;
  note?: ReactNode;
  lines: MoneyLines;
  benchmarkName?: string | undefined;
  benchmarks?: BenchmarkChoice | undefined;
  other?: { readonly labels: readonly string[]; readonly values: Line } | null;
  texture: Texture;
  later?: { readonly after: string; readonly texture: Texture } | undefined;
  marks?: readonly ChartMark[];
  onMark?: (mark: ChartMark) => void;
  height?: number;
}) {
  const { labels, data, reference, expected, name } = lines;
  const drawdown = useMemo(() => fallsOf(data), [data]);
  const benchmark = useMemo(
    () => (other ? alignedTo(labels, other, data) : lines.benchmark),
    [other, labels, data, lines.benchmark],
  );
  return (
    <PerformanceChart
      title={title}
      note={note}
      labels={labels}
      data={data}
      name={name}
      reference={reference}
      expected={expected}
      benchmark={benchmark.some((worth) => worth !== null) ? benchmark : undefined}
      benchmarkName={benchmarkName}
      benchmarks={benchmarks}
      drawdown={drawdown}
      measure="money"
      isGrowth
      marks={marks}
      onMark={onMark}
      texture={texture}
      later={later}
      rememberAs="strategy"
      ranges={RECORD_RANGES}
      height={height}
    />
  );
}
