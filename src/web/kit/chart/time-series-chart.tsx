import { type RefObject, useId, useMemo, useRef } from 'react';
import type { Texture } from '../figure/texture.ts';
import { showDate, showFraction } from '../figure/show-figure.ts';
import { TextureKey } from '../figure/texture-key.tsx';
import { ChartAxes } from './part/chart-axes.tsx';
import { ChartReadout, type ReadoutItem } from './part/chart-readout.tsx';
import { ChartStatus, StatusButton } from './part/chart-status.tsx';
import { DrawdownPane } from './part/drawdown-pane.tsx';
import { EndLabels, type EndLabel } from './part/end-labels.tsx';
import { COMPARED, lineGround, type LineTone } from './part/line-tone.ts';
import {
  Crosshair,
  type Expected,
  ExpectedBand,
  InvestedLine,
  MainLine,
  PlainLine,
  ReferenceLine,
  Selection,
} from './part/lines.tsx';
import { MarkTicks } from './part/mark-ticks.tsx';
import { type ChartMark, marksByPoint } from './scale/chart-marks.ts';
import { KEYS_TEXT } from './scale/key-step.ts';
import { showBetween, showDays } from './scale/measure.ts';
import { DIGIT_PX, type Growth, layOutPlot, type Line, type Plot } from './scale/plot.ts';
import type { Span, ViewActions } from './scale/chart-geometry.ts';
import { useChartPointer } from './use-chart-pointer.ts';
import { useWidth } from './use-width.ts';

type TimeSeries = { readonly name: string; readonly values: Line };

export type TimeSeriesChartProps = {
  /** Names the chart for screen readers. */
  label: string;
  /** ISO days or instants, oldest first; every line is parallel to them. */
  labels: readonly string[];
  main: TimeSeries;
  /** `atEnd`: what it is called at the end of its line. */
  benchmark?: (TimeSeries & { readonly atEnd?: string | undefined }) | undefined;
  /** What the main line is measured against beside the benchmark: a dashed line. */
  reference?: TimeSeries | undefined;
  /** Up to three more records on the same scale. */
  compared?: readonly TimeSeries[] | undefined;
  /** Where values are expected to lie, drawn behind all lines; null between the days that it is known for. */
  expected?: Expected | undefined;
  /** Fractions at or below zero, drawn beneath on the same days. */
  drawdown?: Line | undefined;
  /** Capital paid in by each day: the level of the record without gain or loss. */
  invested?: Line | undefined;
  /** Drawn as ticks on the main line. */
  marks?: readonly ChartMark[] | undefined;
  /** Opens what is behind a mark. */
  onMark?: ((mark: ChartMark) => void) | undefined;
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
  /** Moves the part in sight; without it the chart can only be looked at. */
  view?: (ViewActions & { readonly isWhole: boolean }) | undefined;
  isMeasuring?: boolean;
  /** The drawing, for who makes a picture of it. */
  drawing?: RefObject<SVGSVGElement | null>;
};

/** Below it the names at the lines' ends give way and the values stand on their hairlines. */
const NARROW_PX = 520;
const TOP_PX = 20;
const DAYS_PX = 26;
const DRAWDOWN_PX = 112;
const GUTTER_PX = 104;
const NARROW_GUTTER_PX = 44;
const NO_MARKS: readonly ChartMark[] = [];

/** A record over time with what it is compared with: looked at, zoomed, moved and measured by mouse, fingers and keys. */
export function TimeSeriesChart(props: TimeSeriesChartProps) {
  const {
    label,
    labels,
    main,
    benchmark,
    drawdown,
    invested,
    height = 300,
    marks = NO_MARKS,
    drawing,
  } = props;
  const keysId = useId();
  const [frame, width] = useWidth<HTMLDivElement>(800);
  const times = useMemo(() => labels.map((text) => Date.parse(text)), [labels]);
  const marked = useMemo(() => marksByPoint(labels, marks), [labels, marks]);
  const isNarrow = width < NARROW_PX;
  const plot = usePlot(props, { times, width, height });
  const open = (index: number) => {
    const first = marked.get(index)?.[0];
    if (first) props.onMark?.(first);
  };
  const box = useRef<HTMLDivElement>(null);
  const { index, dragged, measured, clearMeasured, handlers } = useChartPointer({
    box,
    times,
    plot,
    view: props.view ?? null,
    isMeasuring: props.isMeasuring ?? false,
    onEnter: open,
  });
  const at = index ?? labels.length - 1;
  const total = height + DAYS_PX + (drawdown ? DRAWDOWN_PX : 0);
  const items = readoutItems(props, at);
  const compared = props.compared ?? [];
  const selected = dragged ?? measured;
  const drawn = { plot, times };
  return (
    <div ref={frame}>
      <ChartReadout label={labels[at]} items={items} />
      {(props.view ?? props.marks) && (
        <ChartStatus>
          <Status {...props} at={at} there={marked.get(at)} measured={measured} onClear={clearMeasured} />
        </ChartStatus>
      )}
      <div
        ref={box}
        data-chart
        role="slider"
        tabIndex={0}
        aria-label={`${label}: day`}
        aria-describedby={props.view ? keysId : undefined}
        aria-valuemin={0}
        aria-valuemax={Math.max(0, labels.length - 1)}
        aria-valuenow={at}
        aria-valuetext={`${showDate(labels[at])}: ${items.map((item) => `${item.name} ${item.value}`).join(', ')}`}
        {...handlers}
        className="relative mt-3 touch-pan-y overflow-hidden select-none"
        style={{ height: total }}
      >
        <svg
          ref={drawing}
          width={width}
          height={total}
          viewBox={`0 0 ${width} ${total}`}
          className="absolute inset-0"
          aria-hidden="true"
        >
          <ChartAxes plot={plot} baseline={props.baseline} timesAt={height + 20} />
          {plot.isLogarithmic && (
            <text x={plot.left} y={10} className="fill-ink-faint text-[12px]">
              Log scale: equal heights are equal growth
            </text>
          )}
          {props.expected && <ExpectedBand {...drawn} expected={props.expected} />}
          {invested && <InvestedLine {...drawn} values={invested} />}
          {props.reference && <ReferenceLine {...drawn} values={props.reference.values} />}
          {benchmark && <PlainLine {...drawn} values={benchmark.values} tone="benchmark" />}
          {compared.map(({ name, values }, i) => (
            <PlainLine key={name} {...drawn} values={values} tone={COMPARED[i]!} />
          ))}
          {props.compared ? (
            <PlainLine {...drawn} values={main.values} tone="main" />
          ) : (
            <MainLine
              {...drawn}
              values={main.values}
              labels={labels}
              texture={props.texture}
              later={props.later}
            />
          )}
          {marked.size > 0 && <MarkTicks {...drawn} values={main.values} marks={marked} />}
          <EndLabels labels={endLabels(props, plot)} named={!isNarrow} x={plot.right + 8} bottom={height} />
          {drawdown && (
            <DrawdownPane {...drawn} values={drawdown} top={height + DAYS_PX + 36} bottom={total - 4} />
          )}
          {selected && (
            <Selection plot={plot} from={times[selected.from]!} to={times[selected.to]!} bottom={total} />
          )}
          {index !== null && (
            <Crosshair plot={plot} at={times[index]!} values={dotsOf(props, index)} bottom={total} />
          )}
        </svg>
      </div>
      {props.view && (
        <p id={keysId} className="sr-only">
          {KEYS_TEXT}
        </p>
      )}
    </div>
  );
}

function usePlot(
  props: TimeSeriesChartProps,
  { times, width, height }: { times: readonly number[]; width: number; height: number },
): Plot {
  const { main, benchmark, reference, compared, expected, invested, growth, baseline, showTicks } = props;
  const isNarrow = width < NARROW_PX;
  const rightGutter = isNarrow ? Math.max(NARROW_GUTTER_PX, widthOfEnds(props)) : GUTTER_PX;
  const bounds = expected && [expected.outer.low, expected.outer.high];
  return useMemo(
    () =>
      layOutPlot({
        times,
        lines: [
          main.values,
          benchmark?.values ?? [],
          reference?.values ?? [],
          invested ?? [],
          ...(compared ?? []).map(({ values }) => values),
          ...(bounds ?? []),
        ],
        growth,
        baseline,
        width,
        top: TOP_PX,
        bottom: height,
        showTicks,
        rightGutter,
        ticksInside: isNarrow,
      }),
    // oxlint-disable-next-line react/exhaustive-deps -- the bounds are of the expected range
    [
      times,
      main,
      benchmark,
      reference,
      compared,
      expected,
      invested,
      growth,
      baseline,
      width,
      height,
      rightGutter,
      isNarrow,
      showTicks,
    ],
  );
}

/** What was measured; what happened on the day; the days in sight when they are not all. */
function Status({
  labels,
  main,
  benchmark,
  growth,
  view,
  marks,
  onMark,
  at,
  there,
  measured,
  onClear,
}: TimeSeriesChartProps & {
  at: number;
  there: readonly ChartMark[] | undefined;
  measured: Span | null;
  onClear: () => void;
}) {
  if (measured) {
    const [from, to] =
      measured.from < measured.to ? [measured.from, measured.to] : [measured.to, measured.from];
    const unit = growth === 'percent' ? 'percent' : 'money';
    const between = ({ values }: TimeSeries) => showBetween({ from: values[from], to: values[to] }, unit);
    return (
      <>
        <span>
          {showDate(labels[from])} to {showDate(labels[to])}, {showDays(labels[from]!, labels[to]!)}:
        </span>
        <span className="text-ink">
          {main.name} {between(main)}
        </span>
        {benchmark && (
          <span>
            {benchmark.name} {between(benchmark)}
          </span>
        )}
        <StatusButton onClick={onClear}>Clear</StatusButton>
      </>
    );
  }
  if (there) {
    const text = there.length === 1 ? there[0]!.text : `${there[0]!.text}, and ${there.length - 1} more`;
    return onMark ? (
      <StatusButton onClick={() => onMark(there[0]!)}>{text}</StatusButton>
    ) : (
      <span>{text}</span>
    );
  }
  if (view && !view.isWhole) {
    return (
      <>
        <span>
          {showDate(labels[0])} to {showDate(labels.at(-1))}
        </span>
        <StatusButton onClick={view.showAll}>Show all</StatusButton>
      </>
    );
  }
  if (at < 0) return null;
  return (
    <>
      {view && <span className="max-sm:hidden">Drag across the chart to zoom in.</span>}
      {marks?.some(({ side }) => side !== 'other') && (
        <span>Ticks: purchases below the line, sales above.</span>
      )}
    </>
  );
}

function dotsOf({ main, benchmark, compared }: TimeSeriesChartProps, index: number) {
  const dots: { tone: LineTone; value: number | null | undefined }[] = [
    { tone: 'main', value: main.values[index] },
    { tone: 'benchmark', value: benchmark?.values[index] },
  ];
  (compared ?? []).forEach(({ values }, i) => dots.push({ tone: COMPARED[i]!, value: values[index] }));
  return dots;
}

function readoutItems(props: TimeSeriesChartProps, at: number): ReadoutItem[] {
  const { labels, main, benchmark, reference, compared, expected, drawdown, invested, show, texture, later } =
    props;
  const text = (value: number | null | undefined) => (typeof value === 'number' ? show(value) : '–');
  const shown = later && (labels[at] ?? '') > later.after ? later.texture : texture;
  const own = compared ? (
    <span className={`h-0.5 w-5 ${lineGround('main')}`} aria-hidden="true" />
  ) : (
    <TextureKey texture={shown} words={false} />
  );
  const items = [{ name: main.name, value: text(main.values[at]), mark: own }];
  const add = (series: TimeSeries | undefined, look: string) => {
    if (!series) return;
    const mark = <span className={`w-5 ${look}`} aria-hidden="true" />;
    items.push({ name: series.name, value: text(series.values[at]), mark });
  };
  add(benchmark, 'h-px bg-benchmark');
  (compared ?? []).forEach((series, i) => add(series, `h-0.5 ${lineGround(COMPARED[i]!)}`));
  add(reference, 'border-t border-dashed border-ink-faint');
  if (expected?.name !== undefined) {
    const { low, high } = expected.outer;
    const value = `${text(low[at])} to ${text(high[at])}`;
    items.push({ name: expected.name, value, mark: <TextureKey texture="expected" words={false} /> });
  }
  if (invested) add({ name: 'Invested', values: invested }, 'border-t border-dotted border-control-line');
  if (drawdown) {
    const mark = <span className="size-2.5 border-t border-loss bg-loss/25" aria-hidden="true" />;
    items.push({ name: 'Drawdown', value: showFraction(drawdown[at]), mark });
  }
  return items;
}

/** Of the values alone, without names. */
function widthOfEnds({ main, benchmark, compared, show }: TimeSeriesChartProps): number {
  const ends = [main, benchmark, ...(compared ?? [])].map((series) => series?.values.at(-1));
  return Math.max(...ends.map((end) => (typeof end === 'number' ? show(end).length : 0))) * DIGIT_PX + 10;
}

const NAME_MAX = 15;

function endLabels({ main, benchmark, compared, show }: TimeSeriesChartProps, plot: Plot): EndLabel[] {
  const labels: EndLabel[] = [];
  const add = (name: string, tone: LineTone, values: Line | undefined) => {
    const end = values?.at(-1);
    const short = name.length > NAME_MAX ? `${name.slice(0, NAME_MAX - 1)}…` : name;
    if (typeof end === 'number') labels.push({ name: short, value: show(end), y: plot.y(end), tone });
  };
  add(main.name, 'main', main.values);
  // Its full name is above the chart and would not fit here.
  add(benchmark?.atEnd ?? 'Benchmark', 'benchmark', benchmark?.values);
  (compared ?? []).forEach(({ name, values }, i) => add(name, COMPARED[i]!, values));
  return labels;
}
