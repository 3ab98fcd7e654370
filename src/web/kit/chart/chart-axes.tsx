import type { Plot } from './plot.ts';

/** Hairlines with their values above them at the left, the baseline, and the days below. */
export function ChartAxes({
  plot,
  baseline,
  show,
  timesAt,
}: {
  plot: Plot;
  baseline: number | null;
  show: (value: number) => string;
  /** Where the days are written; null writes none. */
  timesAt: number | null;
}) {
  return (
    <g className="figures text-[12px]">
      {plot.valueTicks.map((value) => (
        <line
          key={value}
          x1={0}
          x2={plot.right}
          y1={plot.y(value)}
          y2={plot.y(value)}
          className={value === baseline ? 'stroke-control-line' : 'stroke-hairline'}
        />
      ))}
      {baseline !== null && !plot.valueTicks.includes(baseline) && (
        <line
          x1={0}
          x2={plot.right}
          y1={plot.y(baseline)}
          y2={plot.y(baseline)}
          className="stroke-control-line"
          strokeDasharray="1 3"
        />
      )}
      {timesAt !== null &&
        plot.timeTicks.map((tick) => {
          const x = plot.x(tick.at);
          if (x < 14 || x > plot.right - 14) return null;
          return (
            <text key={tick.at} x={x} y={timesAt} textAnchor="middle" className="fill-ink-faint">
              {tick.text}
            </text>
          );
        })}
      {plot.valueTicks.map((value) => (
        <text
          key={value}
          x={0}
          y={plot.y(value) - 5}
          className="fill-ink-faint stroke-surface"
          strokeWidth={4}
          paintOrder="stroke"
        >
          {show(value)}
        </text>
      ))}
    </g>
  );
}
