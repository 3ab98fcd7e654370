import { classNames } from '../../class-names.ts';
import { showFraction } from '../../figure/show-figure.ts';
import { TickText } from './chart-axes.tsx';
import type { Line, Plot } from '../scale/plot.ts';
import { percentTicks } from '../scale/tick-texts.ts';
import { valueTicks } from '../scale/ticks.ts';
import { areaPath, linePath, thinPoints, type Point } from '../scale/thin-points.ts';

/** How far below its peak the record stood, hanging from zero on the same days as the main plot. */
export function DrawdownPane({
  times,
  values,
  plot,
  top,
  bottom,
}: {
  times: readonly number[];
  /** Fractions at or below zero. */
  values: Line;
  plot: Plot;
  top: number;
  bottom: number;
}) {
  const known = values.filter((value) => value !== null);
  const deepest = known.reduce((least, value) => Math.min(least, value), 0);
  const depth = deepest || -0.01;
  const y = (value: number) => top + (value / depth) * (bottom - top);
  const points: Point[] = [];
  for (const [i, at] of times.entries()) {
    const value = values[i];
    if (typeof value === 'number') points.push({ x: plot.x(at), y: y(value) });
  }
  const drawn = thinPoints(points, Math.round((plot.right - plot.left) / 1.5));
  const ticks = valueTicks(depth * 100, 0, TICKS).filter((tick) => tick < 0);
  const texts = percentTicks(ticks);
  return (
    <g className="figures text-[12px]">
      {ticks.map((tick, i) => (
        <g key={tick}>
          <line
            x1={plot.left}
            x2={plot.right}
            y1={y(tick / 100)}
            y2={y(tick / 100)}
            className="stroke-hairline"
          />
          <TickText plot={plot} y={y(tick / 100)} text={texts[i] ?? ''} />
        </g>
      ))}
      <line x1={plot.left} x2={plot.right} y1={top} y2={top} className="stroke-control-line" />
      <path d={areaPath(drawn, top)} className="fill-loss/20" />
      <path d={linePath(drawn)} fill="none" className="stroke-loss" strokeWidth="1" />
      <text x={plot.left} y={top - 10} className="fill-ink-soft">
        Drawdown Analysis
        <tspan className="fill-ink-faint"> below the last peak</tspan>
      </text>
      {!plot.ticksInside && (
        <text x={plot.right + 8} y={bottom - 16} className="fill-ink-faint">
          Deepest
        </text>
      )}
      <text
        x={plot.right + 8}
        y={bottom}
        className={classNames('fill-ink-soft', plot.ticksInside ? 'text-[12px]' : 'text-[14px]')}
      >
        {showFraction(deepest)}
      </text>
    </g>
  );
}

const TICKS = 2;
