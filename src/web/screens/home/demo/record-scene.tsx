import type { StrategyPerformance } from '#contract/strategies/strategies.ts';
import { TEXTURE_STROKES } from '../../../kit/figure/texture.ts';
import { linePath, thinPoints, type Point } from '../../../kit/chart/scale/thin-points.ts';

const WIDTH = 760;
const HEIGHT = 250;

/** The record and its benchmark, drawn from left to right. */
export function RecordScene({ performance }: { performance: StrategyPerformance }) {
  const first = performance.data[0] ?? 1;
  const benchmark = performance.benchmark.filter((value) => value !== null);
  const base = benchmark[0] ?? 1;
  const own = performance.data.map((value) => value / first);
  const other = benchmark.map((value) => value / base);
  const all = [...own, ...other];
  const [low, high] = [Math.min(...all), Math.max(...all)];
  const place = (values: readonly number[]): readonly Point[] =>
    thinPoints(
      values.map((value, i) => ({
        x: (i / Math.max(1, values.length - 1)) * WIDTH,
        y: HEIGHT - 4 - ((value - low) / (high - low || 1)) * (HEIGHT - 8),
      })),
      180,
    );
  return (
    <svg
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      className="block h-full w-full animate-reveal"
    >
      <path
        d={linePath(place(other))}
        fill="none"
        className="stroke-benchmark"
        strokeWidth="1.2"
        vectorEffect="non-scaling-stroke"
      />
      <path
        d={linePath(place(own))}
        fill="none"
        className="stroke-series"
        strokeWidth="1.6"
        strokeDasharray={TEXTURE_STROKES['in-sample'].dash}
        vectorEffect="non-scaling-stroke"
      />
    </svg>
  );
}
