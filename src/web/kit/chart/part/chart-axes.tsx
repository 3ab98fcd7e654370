import type { Plot } from '../scale/plot.ts';

/** Hairlines with their values at the left, the baseline, and the days below. */
export function ChartAxes({
  plot,
  baseline,
  timesAt,
}: {
  plot: Plot;
  baseline: number | null;
  timesAt: number;
}) {
  return (
    <g className="figures text-[12px]">
      {plot.valueTicks.map(({ value, text }) => (
        <g key={value}>
          <line
            x1={plot.left}
            x2={plot.right}
            y1={plot.y(value)}
            y2={plot.y(value)}
            className={value === baseline ? 'stroke-control-line' : 'stroke-hairline'}
          />
          <TickText plot={plot} y={plot.y(value)} text={text} />
        </g>
      ))}
      {baseline !== null && plot.valueTicks.every(({ value }) => value !== baseline) && (
        <line
          x1={plot.left}
          x2={plot.right}
          y1={plot.y(baseline)}
          y2={plot.y(baseline)}
          className="stroke-control-line"
          strokeDasharray="1 3"
        />
      )}
      {plot.timeTicks.map((tick) => {
        const x = plot.x(tick.at);
        if (x < plot.left + 14 || x > plot.right - 14) return null;
        return (
          <text key={tick.at} x={x} y={timesAt} textAnchor="middle" className="fill-ink-faint">
            {tick.text}
          </text>
        );
      })}
    </g>
  );
}

/** Beside its hairline, or on it with a rim of the ground around the digits. */
export function TickText({ plot, y, text }: { plot: Plot; y: number; text: string }) {
  return plot.ticksInside ? (
    <text
      x={plot.left}
      y={y - 4}
      className="fill-ink-faint stroke-surface"
      strokeWidth="3"
      paintOrder="stroke"
    >
      {text}
    </text>
  ) : (
    <text x={plot.left - 8} y={y + 4} textAnchor="end" className="fill-ink-faint">
      {text}
    </text>
  );
}
