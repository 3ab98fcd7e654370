import { type ReactNode, useMemo, useRef, useState } from 'react';
import { showAsOf, showMoney, showPercent } from '../figure/show-figure.ts';
import { type Texture, TEXTURE_WORDS } from '../figure/texture.ts';
import { showToast } from '../overlay/toast.ts';
import { SectionTitle } from '../page/section-title.tsx';
import { type BenchmarkChoice, ChartControls } from './chart-controls.tsx';
import { chartColumns, ChartTable } from './chart-table.tsx';
import type { Expected } from './part/lines.tsx';
import { fileStem, saveCsv, savePicture } from './save-chart.ts';
import { chartCsv } from './scale/chart-csv.ts';
import type { ChartMark } from './scale/chart-marks.ts';
import type { Line } from './scale/plot.ts';
import { moneyTicks, percentTicks } from './scale/tick-texts.ts';
import { type ChartRange, rangeStart, TIME_RANGES } from './scale/time-range.ts';
import { isWhole, panView, type View, viewBetween, zoomView } from './scale/view.ts';
import { TimeSeriesChart } from './time-series-chart.tsx';

type PerformanceChartProps<Range extends ChartRange> = {
  title: string;
  note?: ReactNode;
  labels: readonly string[];
  data: Line;
  benchmark?: Line | undefined;
  /** Another path of the same record: a dashed line. */
  reference?: { readonly name: string; readonly values: Line } | undefined;
  /** Up to three more records on the same scale. */
  compared?: readonly { readonly name: string; readonly values: Line }[];
  /** Where values are expected to lie. */
  expected?: Expected | undefined;
  /** Fractions, parallel to labels. */
  drawdown?: Line | undefined;
  /** What the main line is called at its end. */
  name: string;
  benchmarkName?: string | undefined;
  /** What it is called at the end of its line, where that is no benchmark. */
  benchmarkAtEnd?: string;
  /** Other benchmarks to choose from. */
  benchmarks?: BenchmarkChoice | undefined;
  measure: 'money' | 'change';
  /** Of money: whether a ratio of two amounts is growth, so that much of it is drawn on a ratio scale. */
  isGrowth?: boolean;
  /** For money: what had been put in by each day, a quiet line. Parallel to labels. */
  invested?: Line;
  marks?: readonly ChartMark[] | undefined;
  onMark?: ((mark: ChartMark) => void) | undefined;
  texture: Texture;
  /** The days after this one are as real as that. */
  later?: { readonly after: string; readonly texture: Texture } | undefined;
  /** The key that the chosen range is kept under in this browser. */
  rememberAs: string;
  ranges?: readonly Range[];
  /** With onRange: the caller loads each range itself, and the labels are already those of the range. */
  range?: Range;
  onRange?: (range: Range) => void;
  height?: number;
};

/**
 * The main chart of a page: title, ranges that are remembered, the chart, and the same figures as a table, a picture and a
 * file. measure 'money' shows dollars; 'change' shows percent since the first day in sight.
 */
export function PerformanceChart<Range extends ChartRange = (typeof TIME_RANGES)[number]>(
  props: PerformanceChartProps<Range>,
) {
  const { title, labels, measure, range: given, benchmarks } = props;
  const ranges = props.ranges ?? (TIME_RANGES as readonly ChartRange[] as readonly Range[]);
  const [own, setOwn] = useRememberedRange(props.rememberAs, ranges);
  const [asTable, setAsTable] = useState(false);
  const [isMeasuring, setMeasuring] = useState(false);
  const drawing = useRef<SVGSVGElement>(null);
  const range = given ?? own;
  const { view, isChosen, ...moves } = useView(labels, given ? 0 : rangeStart(labels, range));
  const chart = useShown(props, view);
  const file = fileStem(title);
  const choose = (next: Range) => {
    moves.forget();
    setOwn(next);
    props.onRange?.(next);
  };
  const picture = () => {
    if (drawing.current === null) return;
    savePicture(drawing.current, { title, lines: captionOf(props) }, `${file}.png`).catch(() =>
      showToast({ type: 'error', title: 'The picture was not saved', message: 'Please try again.' }),
    );
  };
  return (
    <div>
      <SectionTitle note={props.note}>{title}</SectionTitle>
      <div className="mt-3 print:hidden">
        <ChartControls
          label={title}
          ranges={ranges}
          range={isChosen ? null : range}
          onRange={(next) => choose(next as Range)}
          onZoom={moves.zoomByButton}
          isMeasuring={isMeasuring}
          onMeasuring={() => setMeasuring(!isMeasuring)}
          asTable={asTable}
          onTable={() => setAsTable(!asTable)}
          onPicture={picture}
          onCsv={() => saveCsv(chartCsv(chart.labels, chartColumns(chart)), `${file}.csv`)}
          benchmarks={benchmarks}
        />
      </div>
      <div className="mt-4">
        {asTable ? (
          <ChartTable {...chart} />
        ) : (
          <TimeSeriesChart
            {...chart}
            view={{
              ...moves.actions,
              showAll: () => choose('ALL' as Range),
              isWhole: isWhole(view, labels.length),
            }}
            isMeasuring={isMeasuring}
            onMark={props.onMark}
            drawing={drawing}
            {...(props.height === undefined ? {} : { height: props.height })}
          />
        )}
      </div>
      {measure === 'change' && isChosen && (
        <p className="sr-only" role="status">
          Changes are counted from the first day in sight.
        </p>
      )}
    </div>
  );
}

/** The part in sight: the range, until somebody zooms or moves; `forget` goes back to it. */
function useView(labels: readonly string[], start: number) {
  const [chosen, setChosen] = useState<View | null>(null);
  const view = chosen ?? { first: start, last: labels.length - 1 };
  const offset = Math.round(view.first);
  const change = (next: (from: View) => View) => setChosen((before) => next(before ?? view));
  return {
    view,
    isChosen: chosen !== null,
    forget: () => setChosen(null),
    zoomByButton: (factor: number) =>
      change((from) => zoomView(from, labels.length, { factor, anchor: middleOf(from, labels.length) })),
    actions: {
      zoom: (factor: number, anchor: number) =>
        change((from) => zoomView(from, labels.length, { factor, anchor: Math.round(from.first) + anchor })),
      pan: (points: number) => change((from) => panView(from, labels.length, points)),
      select: (from: number, to: number) => setChosen(viewBetween(offset + from, offset + to, labels.length)),
    },
  };
}

/** The part in sight, as the chart takes it. */
function useShown<Range extends ChartRange>(props: PerformanceChartProps<Range>, view: View) {
  const { labels, data, benchmark, reference, compared, expected, drawdown, invested, measure } = props;
  const [first, last] = [Math.round(view.first), Math.round(view.last)];
  const cut = useMemo(() => {
    const end = last + 1;
    const part = (line: Line) =>
      measure === 'change' ? changeSince(line.slice(first, end)) : line.slice(first, end);
    const band = (one: { low: Line; high: Line }) => ({ low: part(one.low), high: part(one.high) });
    return {
      labels: labels.slice(first, end),
      data: part(data),
      benchmark: benchmark && part(benchmark),
      reference: reference && { name: reference.name, values: part(reference.values) },
      compared: compared?.map(({ name, values }) => ({ name, values: part(values) })),
      expected: expected && {
        ...(expected.name !== undefined && { name: expected.name }),
        outer: band(expected.outer),
        ...(expected.inner && { inner: band(expected.inner) }),
        ...(expected.middle && { middle: part(expected.middle) }),
      },
      drawdown: drawdown?.slice(first, end),
      invested: invested?.slice(first, end),
    };
  }, [labels, data, benchmark, reference, compared, expected, drawdown, invested, first, last, measure]);
  const isMoney = measure === 'money';
  return {
    label: props.title,
    labels: cut.labels,
    main: { name: props.name, values: cut.data },
    benchmark: cut.benchmark && {
      name: props.benchmarkName ?? 'Benchmark',
      values: cut.benchmark,
      atEnd: props.benchmarkAtEnd,
    },
    reference: cut.reference,
    compared: cut.compared,
    expected: cut.expected,
    drawdown: cut.drawdown,
    invested: cut.invested,
    marks: props.marks,
    texture: props.texture,
    later: props.later,
    growth: isMoney ? (props.isGrowth ? ('value' as const) : null) : ('percent' as const),
    baseline: isMoney ? null : 0,
    show: isMoney ? showDollars : showChange,
    showTicks: isMoney ? moneyTicks : percentTicks,
  };
}

/** What stays in sight when a button zooms: the newest day while it is there. */
function middleOf({ first, last }: View, length: number): number {
  return Math.round(last) >= length - 1 ? length - 1 : (first + last) / 2;
}

const showDollars = (value: number) => showMoney(value, { cents: 'never' });
const showChange = (value: number) =>
  showPercent(value, { decimals: Math.abs(value) < 1000 ? 1 : 0, sign: true });

/** What a picture that leaves this page must still say. */
function captionOf<Range extends ChartRange>(props: PerformanceChartProps<Range>): string[] {
  const { labels, texture, later, name, benchmarkName, benchmark } = props;
  const textures = [texture, ...(later && (labels.at(-1) ?? '') > later.after ? [later.texture] : [])];
  const against = benchmark ? `, against ${benchmarkName ?? 'the benchmark'}` : '';
  return [
    `${name}${against}. ${textures.map((one) => TEXTURE_WORDS[one]).join('; ')}. ${showAsOf(labels.at(-1))}.`,
    'Past and hypothetical performance does not predict future results.',
  ];
}

/** Percent since the first known value. */
function changeSince(line: Line): Line {
  const first = line.find((value) => value !== null);
  if (!first) return line;
  return line.map((value) => (value === null ? null : (value / first - 1) * 100));
}

function useRememberedRange<Range extends ChartRange>(
  key: string,
  ranges: readonly Range[],
): [Range, (range: Range) => void] {
  const name = `chartRange.${key}`;
  const [range, setRange] = useState<Range>(() => {
    const kept = localStorage.getItem(name);
    return ranges.find((candidate) => candidate === kept) ?? ('ALL' as Range);
  });
  const keep = (next: Range) => {
    localStorage.setItem(name, next);
    setRange(next);
  };
  return [range, keep];
}
