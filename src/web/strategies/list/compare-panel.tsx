import { useMemo } from 'react';
import type { Strategy, StrategyPerformance } from '#contract/strategies/strategies.ts';
import { Button } from '../../kit/control/button.tsx';
import { PerformanceChart } from '../../kit/chart/performance-chart.tsx';
import { carryLine } from '../../kit/chart/scale/carry-line.ts';
import { RECORD_RANGES } from '../../kit/chart/scale/time-range.ts';
import { type Column, DataTable } from '../../kit/figure/data-table.tsx';
import { Hypothetical } from '../../kit/figure/hypothetical.tsx';
import { showMoney, showNumber, showPercent } from '../../kit/figure/show-figure.ts';
import { Surface } from '../../kit/page/surface.tsx';
import { ErrorState } from '../../kit/state/error-state.tsx';
import { Skeleton } from '../../kit/state/skeleton.tsx';
import { GRADE_WORDS } from '../evidence/evidence-words.ts';
import { useStrategyPerformance } from '../strategy-queries.ts';

/** As many as one chart can tell apart. */
export const COMPARED_MAX = 4;

/** Up to four strategies on one chart and one scale, from the first day that all of them have, and their figures side by side. */
export function ComparePanel({
  strategies,
  onClear,
}: {
  strategies: readonly Strategy[];
  onClear: () => void;
}) {
  const records = [
    useStrategyPerformance(strategies[0]?.id, 'week'),
    useStrategyPerformance(strategies[1]?.id, 'week'),
    useStrategyPerformance(strategies[2]?.id, 'week'),
    useStrategyPerformance(strategies[3]?.id, 'week'),
  ].slice(0, strategies.length);
  const failed = records.find(({ isError }) => isError);
  const data = records.map((record) => record.data);
  return (
    <Surface aria-label="Compare" className="grid grid-cols-1 gap-6">
      {failed ? (
        <ErrorState title="Failed to load a record" onRetry={() => void failed.refetch()} />
      ) : data.every((record) => record !== undefined) ? (
        <Compared strategies={strategies} records={data} />
      ) : (
        <Skeleton className="h-[430px]" />
      )}
      <DataTable
        caption="Compared strategies"
        columns={columnsOf(strategies)}
        rows={ROWS}
        rowKey={({ name }) => name}
        wide
      />
      <div>
        <Button variant="secondary" size="small" onClick={onClear}>
          Stop comparing
        </Button>
      </div>
    </Surface>
  );
}

function Compared({
  strategies,
  records,
}: {
  strategies: readonly Strategy[];
  records: readonly StrategyPerformance[];
}) {
  const lines = useMemo(() => together(records), [records]);
  const [main, ...others] = strategies.map(({ name }, i) => ({ name, values: lines.values[i]! }));
  return (
    <PerformanceChart
      title="Compare"
      note={
        <>
          Change before the performance fee, from the first day that all of them have. <Hypothetical />
        </>
      }
      labels={lines.labels}
      data={main!.values}
      name={main!.name}
      compared={others}
      measure="change"
      texture="in-sample"
      rememberAs="compare"
      ranges={RECORD_RANGES}
      height={280}
    />
  );
}

function together(records: readonly StrategyPerformance[]) {
  const start = records
    .map(({ labels }) => labels[0] ?? '')
    .toSorted()
    .at(-1)!;
  const days = [...new Set(records.flatMap(({ labels }) => labels))].filter((day) => day >= start).toSorted();
  return {
    labels: days,
    values: records.map(({ labels, data }) => carryLine(days, { labels, values: data })),
  };
}

type Row = { readonly name: string; readonly show: (strategy: Strategy) => string };

const ROWS: readonly Row[] = [
  {
    name: 'Annual return after the fee',
    show: ({ evidence }) => showPercent(evidence.after_fee.annual_return, { sign: true, decimals: 1 }),
  },
  {
    name: 'Worst fall',
    show: ({ backtest_results: results }) => showPercent(-Math.abs(results.max_drawdown), { decimals: 1 }),
  },
  { name: 'Annualized volatility', show: ({ volatility }) => showPercent(volatility, { decimals: 1 }) },
  { name: 'Sharpe ratio', show: ({ sharpeRatio }) => showNumber(sharpeRatio) },
  { name: 'Risk score', show: ({ risk_score: score }) => `${score} of 5` },
  { name: 'Evidence', show: ({ evidence }) => GRADE_WORDS[evidence.grade] },
  {
    name: 'Minimum',
    show: ({ min_investment: minimum }) => showMoney(minimum, { cents: 'auto' }),
  },
];

function columnsOf(strategies: readonly Strategy[]): readonly Column<Row>[] {
  return [
    { key: 'name', header: 'Measure', cell: (row) => row.name },
    ...strategies.map(
      (strategy): Column<Row> => ({
        key: strategy.id,
        header: strategy.name,
        align: 'right',
        cell: (row) => row.show(strategy),
      }),
    ),
  ];
}
