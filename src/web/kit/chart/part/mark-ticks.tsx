import type { ChartMark } from '../scale/chart-marks.ts';
import type { Line, Plot } from '../scale/plot.ts';

const APART_PX = 7;

/** What happened, as small ticks on the line: below it for a purchase, above it for a sale. Close ones are drawn as one. */
export function MarkTicks({
  plot,
  times,
  values,
  marks,
}: {
  plot: Plot;
  times: readonly number[];
  values: Line;
  marks: ReadonlyMap<number, readonly ChartMark[]>;
}) {
  const ticks: { x: number; y: number; sides: Set<ChartMark['side']> }[] = [];
  for (const index of [...marks.keys()].toSorted((one, other) => one - other)) {
    const value = values[index];
    if (typeof value !== 'number') continue;
    const x = plot.x(times[index]!);
    const before = ticks.at(-1);
    const sides = marks.get(index)!.map(({ side }) => side);
    if (before && x - before.x < APART_PX) for (const side of sides) before.sides.add(side);
    else ticks.push({ x, y: plot.y(value), sides: new Set(sides) });
  }
  return (
    <g className="stroke-series" strokeWidth="1.6" strokeLinecap="round">
      {ticks.map(({ x, y, sides }) => (
        <g key={x}>
          {sides.has('buy') && <line x1={x} x2={x} y1={y + 3} y2={y + 10} />}
          {sides.has('sell') && <line x1={x} x2={x} y1={y - 10} y2={y - 3} />}
          {sides.has('other') && <circle cx={x} cy={y} r="2.5" className="fill-surface" />}
        </g>
      ))}
    </g>
  );
}
