import { useMemo } from 'react';
import type { Texture } from '../figure/texture.ts';
import { showDate, showFraction } from '../figure/show-figure.ts';
import { TextureKey } from '../figure/texture-key.tsx';
import { ChartAxes } from './part/chart-axes.tsx';
import { ChartReadout, type ReadoutItem } from './part/chart-readout.tsx';
import { DrawdownPane } from './part/drawdown-pane.tsx';
import { EndLabels, type EndLabel } from './part/end-labels.tsx';
import { DIGIT_PX, type Growth, layOutPlot, placeLine, type Line, type Plot } from './scale/plot.ts';
import { TexturedLine } from './part/textured-line.tsx';
import { linePath, thinPoints } from './scale/thin-points.ts';
import { useCrosshair } from './use-crosshair.ts';
import { useWidth } from './use-width.ts';

type TimeSeries = { readonly name: string; readonly values: Line };

export type TimeSeriesChartProps = {
  /** Names the chart for screen readers. */
  label: string;
  /** ISO days or instants, oldest first; every line is parallel to them. */
  labels: readonly string[];
  main: TimeSeries;
  benchmark?: TimeSeries | undefined;
  /** What the main line is measured against beside the benchmark: a dashed line. */
  reference?: TimeSeries | undefined;
  /** Where values may lie, drawn behind all lines; null between the days that it is known for. */
  band?: { readonly low: Line; readonly high: Line } | undefined;
  /** Fractions at or below zero, drawn beneath on the same days. */
  drawdown?: Line | undefined;
  /** Capital paid in by each day: the level of the record without gain or loss. */
  invested?: Line | undefined;
  texture: Texture;
  /** The days after this one are as real as that. */
  later?: { readonly after: string; readonly texture: Texture } | undefined;
  /** What a ratio of values means: with much growth the scale is logarithmic. Null keeps it linear. */
  growth: Growth | null;
  baseline: number | null;
  show: (value: number) => string;
  /** The common format of the values at the hairlines. */
  showTicks: (values: readonly number[]) => readonly string[];
  height?: number;
};

/** Below it the names at the lines' ends give way. */
const NARROW_PX = 520;
const TOP_PX = 20;
const DAYS_PX = 26;
const DRAWDOWN_PX = 112;
const GUTTER_PX = 96;
const NARROW_GUTTER_PX = 60;

/** A record over time with its benchmark: crosshair by mouse, touch and arrow keys, values at the lines' ends. */
export function TimeSeriesChart(props: TimeSeriesChartProps) {
  const { label, labels, main, benchmark, drawdown, invested, height = 300 } = props;
  const [box, width] = useWidth<HTMLDivElement>(800);
  const times = useMemo(() => labels.map((text) => Date.parse(text)), [labels]);
  const isNarrow = width < NARROW_PX;
  const plot = usePlot(props, { times, width, height });
  const { index, onPointer, onKeyDown, clear } = useCrosshair(times, plot);
  const at = index ?? labels.length - 1;
  const total = height + DAYS_PX + (drawdown ? DRAWDOWN_PX : 0);
  const items = readoutItems(props, at);
  return (
    <div>
      <ChartReadout label={labels[at]} items={items} />
      <div
        ref={box}
        role="slider"
        tabIndex={0}
        aria-label={`${label}: day`}
        aria-valuemin={0}
        aria-valuemax={Math.max(0, labels.length - 1)}
        aria-valuenow={at}
        aria-valuetext={`${showDate(labels[at])}: ${items.map((item) => `${item.name} ${item.value}`).join(', ')}`}
        onPointerMove={onPointer}
        onPointerDown={onPointer}
        onPointerLeave={clear}
        onBlur={clear}
        onKeyDown={onKeyDown}
        className="relative mt-3 touch-pan-y overflow-hidden select-none"
        style={{ height: total }}
      >
        <svg width={width} height={total} className="absolute inset-0" aria-hidden="true">
          <ChartAxes plot={plot} baseline={props.baseline} timesAt={height + 20} />
          {plot.isLogarithmic && (
            <text x={plot.left} y={10} className="fill-ink-faint text-[12px]">
              Log scale: equal heights are equal growth
            </text>
          )}
          {props.band && <Band plot={plot} times={times} band={props.band} />}
          {invested && <InvestedLine plot={plot} times={times} values={invested} />}
          {props.reference && <ReferenceLine plot={plot} times={times} values={props.reference.values} />}
          {benchmark && <BenchmarkLine plot={plot} times={times} values={benchmark.values} />}
          <MainLine {...props} plot={plot} times={times} />
          <EndLabels labels={endLabels(props, plot)} named={!isNarrow} x={plot.right + 8} bottom={height} />
          {drawdown && (
            <DrawdownPane
              times={times}
              values={drawdown}
              plot={plot}
              top={height + DAYS_PX + 36}
              bottom={total - 4}
            />
          )}
          {index !== null && (
            <Crosshair
              plot={plot}
              at={times[index]!}
              values={[main.values[index], benchmark?.values[index]]}
              bottom={total}
            />
          )}
        </svg>
      </div>
    </div>
  );
}

function usePlot(
  props: TimeSeriesChartProps,
  { times, width, height }: { times: readonly number[]; width: number; height: number },
): Plot {
  const { main, benchmark, reference, band, invested, growth, baseline, showTicks } = props;
  const rightGutter = width < NARROW_PX ? Math.max(NARROW_GUTTER_PX, widthOfEnds(props)) : GUTTER_PX;
  return useMemo(
    () =>
      layOutPlot({
        times,
        lines: [
          main.values,
          benchmark?.values ?? [],
          reference?.values ?? [],
          invested ?? [],
          ...bounds(band),
        ],
        growth,
        baseline,
        width,
        top: TOP_PX,
        bottom: height,
        showTicks,
        rightGutter,
      }),
    [
      times,
      main,
      benchmark,
      reference,
      band,
      invested,
      growth,
      baseline,
      width,
      height,
      rightGutter,
      showTicks,
    ],
  );
}

function bounds(band: TimeSeriesChartProps['band']): readonly Line[] {
  return band ? [band.low, band.high] : [];
}

/** The record in one texture, or in two that meet at the last day of the first. */
function MainLine({
  main,
  labels,
  texture,
  later,
  plot,
  times,
}: TimeSeriesChartProps & { plot: Plot; times: readonly number[] }) {
  const turn = later ? labels.findIndex((label) => label > later.after) : -1;
  const placed = (from: number, to?: number) =>
    placeLine(plot, times.slice(from, to), main.values.slice(from, to));
  if (!later || turn < 0) {
    return <TexturedLine plot={plot} points={placed(0)} texture={texture} level={plot.bottom} />;
  }
  return (
    <>
      <TexturedLine plot={plot} points={placed(0, turn)} texture={texture} level={plot.bottom} />
      <TexturedLine
        plot={plot}
        points={placed(Math.max(0, turn - 1))}
        texture={later.texture}
        level={plot.bottom}
      />
    </>
  );
}

/** Money comes on a day, not little by little: a line of steps. */
function InvestedLine({ plot, times, values }: { plot: Plot; times: readonly number[]; values: Line }) {
  const points = placeLine(plot, times, values);
  const steps = points.flatMap((point, i) => [{ x: point.x, y: points[Math.max(0, i - 1)]!.y }, point]);
  return <path d={linePath(steps)} fill="none" className="stroke-control-line" strokeDasharray="1 3" />;
}

function ReferenceLine({ plot, times, values }: { plot: Plot; times: readonly number[]; values: Line }) {
  const points = thinPoints(placeLine(plot, times, values), Math.round((plot.right - plot.left) / 1.5));
  return <path d={linePath(points)} fill="none" className="stroke-ink-faint" strokeDasharray="5 3" />;
}

function Band({
  plot,
  times,
  band: { low, high },
}: {
  plot: Plot;
  times: readonly number[];
  band: NonNullable<TimeSeriesChartProps['band']>;
}) {
  const outline = [...placeLine(plot, times, high), ...placeLine(plot, times, low).toReversed()];
  return <path d={`${linePath(outline)}Z`} className="fill-series/8" />;
}

function BenchmarkLine({ plot, times, values }: { plot: Plot; times: readonly number[]; values: Line }) {
  const points = thinPoints(placeLine(plot, times, values), Math.round((plot.right - plot.left) / 1.5));
  return (
    <path
      d={linePath(points)}
      fill="none"
      className="stroke-benchmark"
      strokeWidth="1.2"
      strokeLinejoin="round"
    />
  );
}

function Crosshair({
  plot,
  at,
  values,
  bottom,
}: {
  plot: Plot;
  at: number;
  values: readonly (number | null | undefined)[];
  bottom: number;
}) {
  const x = plot.x(at);
  return (
    <g>
      <line x1={x} x2={x} y1={plot.top - 8} y2={bottom} className="stroke-control-line" />
      {values.map(
        (value, i) =>
          typeof value === 'number' && (
            <circle
              // oxlint-disable-next-line react/no-array-index-key -- the main line is first, the benchmark second
              key={i}
              cx={x}
              cy={plot.y(value)}
              r="4"
              className={i === 0 ? 'fill-series stroke-surface' : 'fill-benchmark stroke-surface'}
              strokeWidth="2"
            />
          ),
      )}
    </g>
  );
}

function readoutItems(
  { labels, main, benchmark, reference, drawdown, invested, show, texture, later }: TimeSeriesChartProps,
  at: number,
): ReadoutItem[] {
  const text = (value: number | null | undefined) => (typeof value === 'number' ? show(value) : '–');
  const shown = later && (labels[at] ?? '') > later.after ? later.texture : texture;
  const items = [
    { name: main.name, value: text(main.values[at]), mark: <TextureKey texture={shown} words={false} /> },
  ];
  if (benchmark) {
    const mark = <span className="h-px w-5 bg-benchmark" aria-hidden="true" />;
    items.push({ name: benchmark.name, value: text(benchmark.values[at]), mark });
  }
  if (reference) {
    const mark = <span className="w-5 border-t border-dashed border-ink-faint" aria-hidden="true" />;
    items.push({ name: reference.name, value: text(reference.values[at]), mark });
  }
  if (invested) {
    const mark = <span className="w-5 border-t border-dotted border-control-line" aria-hidden="true" />;
    items.push({ name: 'Invested', value: text(invested[at]), mark });
  }
  if (drawdown) {
    const mark = <span className="size-2.5 border-t border-loss bg-loss/25" aria-hidden="true" />;
    items.push({ name: 'Drawdown', value: showFraction(drawdown[at]), mark });
  }
  return items;
}

/** Of the values alone, without names. */
function widthOfEnds({ main, benchmark, show }: TimeSeriesChartProps): number {
  const ends = [main.values.at(-1), benchmark?.values.at(-1)];
  return Math.max(...ends.map((end) => (typeof end === 'number' ? show(end).length : 0))) * DIGIT_PX + 10;
}

function endLabels({ main, benchmark, show }: TimeSeriesChartProps, plot: Plot): EndLabel[] {
  const labels: EndLabel[] = [];
  const end = main.values.at(-1);
  const other = benchmark?.values.at(-1);
  if (typeof end === 'number')
    labels.push({ name: main.name, value: show(end), y: plot.y(end), tone: 'main' });
  if (benchmark && typeof other === 'number') {
    // Its full name is above the chart and would not fit here.
    labels.push({ name: 'Benchmark', value: show(other), y: plot.y(other), tone: 'benchmark' });
  }
  return labels;
}
