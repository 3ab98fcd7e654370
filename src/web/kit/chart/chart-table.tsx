import { DataTable, type Column } from '../figure/data-table.tsx';
import { showDate, showFraction } from '../figure/show-figure.ts';
import { TextureKey } from '../figure/texture-key.tsx';
import type { TimeSeriesChartProps } from './time-series-chart.tsx';

const MOST_ROWS = 120;

/** The figures of a chart as rows, newest first; long records are shown at even distances. */
export function ChartTable(props: TimeSeriesChartProps) {
  const { label, labels, main, benchmark, drawdown, invested, show, texture, later } = props;
  const step = Math.max(1, Math.ceil(labels.length / MOST_ROWS));
  const rows: number[] = [];
  for (let i = labels.length - 1; i >= 0; i -= step) rows.push(i);
  const text = (value: number | null | undefined) => (typeof value === 'number' ? show(value) : '–');
  const columns: Column<number>[] = [
    { key: 'day', header: 'Date', cell: (i) => showDate(labels[i]) },
    { key: 'main', header: main.name, align: 'right', cell: (i) => text(main.values[i]) },
  ];
  if (later) columns.splice(1, 0, textureColumn({ labels, texture, later }));
  if (benchmark) {
    columns.push({
      key: 'benchmark',
      header: benchmark.name,
      align: 'right',
      cell: (i) => text(benchmark.values[i]),
    });
  }
  if (invested) {
    columns.push({ key: 'invested', header: 'Invested', align: 'right', cell: (i) => text(invested[i]) });
  }
  if (drawdown) {
    columns.push({
      key: 'drawdown',
      header: 'Drawdown',
      align: 'right',
      cell: (i) => showFraction(drawdown[i]),
    });
  }
  return (
    <div className="max-h-[420px] overflow-y-auto">
      <DataTable
        caption={`${label}, as a table`}
        columns={columns}
        rows={rows}
        rowKey={(i) => labels[i] ?? String(i)}
      />
    </div>
  );
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
