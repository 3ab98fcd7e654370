import { DataTable, type Column } from '../figure/data-table.tsx';
import { showDate, showFraction } from '../figure/show-figure.ts';
import { TextureKey } from '../figure/texture-key.tsx';
import type { CsvColumn } from './scale/chart-csv.ts';
import type { TimeSeriesChartProps } from './time-series-chart.tsx';

const MOST_ROWS = 120;

/** The figures of a chart as rows, newest first; long records are shown at even distances. */
export function ChartTable(props: TimeSeriesChartProps) {
  const { label, labels, show, texture, later } = props;
  const step = Math.max(1, Math.ceil(labels.length / MOST_ROWS));
  const rows: number[] = [];
  for (let i = labels.length - 1; i >= 0; i -= step) rows.push(i);
  const text = (value: number | null | undefined) => (typeof value === 'number' ? show(value) : '–');
  const columns: Column<number>[] = [{ key: 'day', header: 'Date', cell: (i) => showDate(labels[i]) }];
  if (later) columns.push(textureColumn({ labels, texture, later }));
  for (const { name, values, isFraction } of chartColumns(props)) {
    columns.push({
      key: name,
      header: name,
      align: 'right',
      cell: (i) => (isFraction ? showFraction(values[i]) : text(values[i])),
    });
  }
  return (
    <div className="max-h-[420px] overflow-y-auto">
      <DataTable
        caption={`${label}, as a table`}
        columns={columns}
        rows={rows}
        rowKey={(i) => labels[i] ?? String(i)}
        wide
      />
    </div>
  );
}

/** Every line of a chart by its name, for a table and a file. */
export function chartColumns({
  main,
  benchmark,
  reference,
  compared,
  expected,
  invested,
  drawdown,
}: Pick<
  TimeSeriesChartProps,
  'main' | 'benchmark' | 'reference' | 'compared' | 'expected' | 'invested' | 'drawdown'
>): readonly (CsvColumn & { readonly isFraction?: true })[] {
  return [
    main,
    ...(benchmark ? [benchmark] : []),
    ...(compared ?? []),
    ...(reference ? [reference] : []),
    ...(expected
      ? [
          { name: 'Expected, low', values: expected.outer.low },
          { name: 'Expected, high', values: expected.outer.high },
        ]
      : []),
    ...(invested ? [{ name: 'Invested', values: invested }] : []),
    ...(drawdown ? [{ name: 'Drawdown', values: drawdown, isFraction: true as const }] : []),
  ];
}

function textureColumn({
  labels,
  texture,
  later,
}: Pick<TimeSeriesChartProps, 'labels' | 'texture'> & {
  later: NonNullable<TimeSeriesChartProps['later']>;
}): Column<number> {
  return {
    key: 'texture',
    header: 'Basis',
    cell: (i) => <TextureKey texture={(labels[i] ?? '') > later.after ? later.texture : texture} />,
  };
}
