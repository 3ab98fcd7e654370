import { Table2, TrendingUp } from 'lucide-react';
import { useMemo, useState, type ReactNode } from 'react';
import { Button } from '../control/button.tsx';
import { ChartTable } from './chart-table.tsx';
import type { Line } from './scale/plot.ts';
import { rangeStart, TIME_RANGES, type TimeRange } from './scale/time-range.ts';
import { moneyTicks, percentTicks } from './scale/tick-texts.ts';
import { TimeSeriesChart } from './time-series-chart.tsx';
import { SectionTitle } from '../page/section-title.tsx';
import { SegmentedControl } from '../control/segmented-control.tsx';
import { showMoney, showPercent } from '../figure/show-figure.ts';
import type { Texture } from '../figure/texture.ts';

const RANGE_OPTIONS = TIME_RANGES.map((value) => ({ value, label: value }));

type PerformanceChartProps = {
  title: string;
  note?: ReactNode;
  labels: readonly string[];
  data: Line;
  benchmark?: Line | undefined;
  /** Fractions, parallel to labels. */
  drawdown?: Line | undefined;
  /** What the main line is called at its end. */
  name: string;
  benchmarkName?: string;
  measure: 'money' | 'change';
  /** For money: what had been put in by each day, a quiet line. Parallel to labels. */
  invested?: Line;
  texture: Texture;
  /** The days after this one are as real as that. */
  later?: { readonly after: string; readonly texture: Texture } | undefined;
  /** The key that the chosen range is kept under in this browser. */
  rememberAs: string;
  /** With onRange: the caller loads each range itself, and the labels are already those of the range. */
  range?: TimeRange;
  onRange?: (range: TimeRange) => void;
  height?: number;
};

/**
 * The main chart of a page: title, ranges that are remembered, the chart, and the same figures as a table.
 * measure 'money' shows dollars; 'change' shows percent since the beginning of the chosen range.
 */
export function PerformanceChart({
  title,
  note,
  labels,
  data,
  benchmark,
  drawdown,
  name,
  benchmarkName = 'Benchmark',
  measure,
  invested,
  texture,
  later,
  rememberAs,
  range: given,
  onRange,
  height,
}: PerformanceChartProps) {
  const [own, setOwn] = useRememberedRange(rememberAs);
  const [asTable, setAsTable] = useState(false);
  const range = given ?? own;
  const start = given ? 0 : rangeStart(labels, range);
  const shown = useMemo(
    () => cut({ labels, data, benchmark, drawdown, invested }, start, measure),
    [labels, data, benchmark, drawdown, invested, start, measure],
  );
  const show = (value: number) =>
    measure === 'money'
      ? showMoney(value, { cents: 'never' })
      : showPercent(value, { decimals: Math.abs(value) < 1000 ? 1 : 0, sign: true });
  const chart = {
    label: title,
    labels: shown.labels,
    main: { name, values: shown.data },
    benchmark: shown.benchmark && { name: benchmarkName, values: shown.benchmark },
    drawdown: shown.drawdown,
    invested: shown.invested,
    texture,
    later,
    growth: measure === 'change' ? ('percent' as const) : null,
    baseline: measure === 'money' ? null : 0,
    show,
    showTicks: measure === 'money' ? moneyTicks : percentTicks,
    ...(height === undefined ? {} : { height }),
  };
  const choose = (next: TimeRange) => {
    setOwn(next);
    onRange?.(next);
  };
  return (
    <div>
      <SectionTitle
        note={note}
        aside={
          <Controls
            label={`${title}: range`}
            range={range}
            onRange={choose}
            asTable={asTable}
            onTable={() => setAsTable(!asTable)}
          />
        }
      >
        {title}
      </SectionTitle>
      <div className="mt-4">{asTable ? <ChartTable {...chart} /> : <TimeSeriesChart {...chart} />}</div>
    </div>
  );
}

function Controls({
  label,
  range,
  onRange,
  asTable,
  onTable,
}: {
  label: string;
  range: TimeRange;
  onRange: (range: TimeRange) => void;
  asTable: boolean;
  onTable: () => void;
}) {
  const Icon = asTable ? TrendingUp : Table2;
  return (
    <div className="flex flex-wrap items-center gap-2">
      <SegmentedControl label={label} options={RANGE_OPTIONS} value={range} onChange={onRange} />
      <Button
        variant="quiet"
        size="small"
        aria-pressed={asTable}
        icon={<Icon className="size-4" aria-hidden="true" />}
        onClick={onTable}
      >
        <span className="max-sm:sr-only">{asTable ? 'Chart' : 'Table'}</span>
      </Button>
    </div>
  );
}

type Record = {
  labels: readonly string[];
  data: Line;
  benchmark: Line | undefined;
  drawdown: Line | undefined;
  invested: Line | undefined;
};

function cut(record: Record, start: number, measure: 'money' | 'change'): Record {
  const part = (line: Line) => (measure === 'change' ? changeSince(line.slice(start)) : line.slice(start));
  return {
    labels: record.labels.slice(start),
    data: part(record.data),
    benchmark: record.benchmark && part(record.benchmark),
    drawdown: record.drawdown?.slice(start),
    invested: record.invested?.slice(start),
  };
}

/** Percent since the first known value. */
function changeSince(line: Line): Line {
  const first = line.find((value) => value !== null);
  if (!first) return line;
  return line.map((value) => (value === null ? null : (value / first - 1) * 100));
}

function useRememberedRange(key: string): [TimeRange, (range: TimeRange) => void] {
  const name = `chartRange.${key}`;
  const [range, setRange] = useState<TimeRange>(() => {
    const kept = localStorage.getItem(name);
    return TIME_RANGES.find((candidate) => candidate === kept) ?? 'ALL';
  });
  const keep = (next: TimeRange) => {
    localStorage.setItem(name, next);
    setRange(next);
  };
  return [range, keep];
}
