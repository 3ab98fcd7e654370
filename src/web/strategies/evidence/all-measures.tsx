import { useState } from 'react';
import type { Measures, PassportAnswer, SampleMeasures } from '#contract/strategies/evidence.ts';
import type { Strategy } from '#contract/strategies/strategies.ts';
import { type Column, DataTable } from '../../kit/figure/data-table.tsx';
import { ErrorState } from '../../kit/state/error-state.tsx';
import { Hypothetical } from '../../kit/figure/hypothetical.tsx';
import { showCount, showDate, showFraction, showMonth, showNumber } from '../../kit/figure/show-figure.ts';
import { Skeleton } from '../../kit/state/skeleton.tsx';
import { TextureKey } from '../../kit/figure/texture-key.tsx';
import { useStrategyEvidence } from '../strategy-queries.ts';

/** Every measure, in-sample and out-of-sample side by side, shown on request. */
export function AllMeasures({ strategy }: { strategy: Strategy }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details className="border-y" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="py-4 font-serif text-lg hover:text-accent">
        All measures
        <span className="ml-3 font-sans text-sm text-ink-faint">in-sample and out-of-sample</span>
      </summary>
      {isOpen && <Loaded strategy={strategy} />}
    </details>
  );
}

function Loaded({ strategy }: { strategy: Strategy }) {
  const hasFee = strategy.fees > 0;
  const passport = useStrategyEvidence(strategy.id);
  if (passport.isPending) return <Skeleton className="mb-6 h-96" />;
  if (passport.isError) {
    return <ErrorState title="Failed to load the measures" onRetry={() => void passport.refetch()} />;
  }
  return (
    <div className="pb-6">
      <div className="mb-3 flex flex-wrap items-baseline justify-between gap-x-6 gap-y-2 text-sm text-ink-faint">
        <p className="prose-width">
          After commission and slippage
          {hasFee && ', before the performance fee unless stated otherwise'}. Annual figures and risk ratios
          need at least a year.
        </p>
        <Hypothetical />
      </div>
      <DataTable
        caption="All measures"
        columns={columnsOf(passport.data, strategy.evidence.out_of_sample.is_enough)}
        rows={hasFee ? ROWS : ROWS.filter(({ afterFee }) => !afterFee)}
        rowKey={(row) => row.name}
        wide
      />
    </div>
  );
}

type Row = {
  readonly name: string;
  readonly show: (sample: SampleMeasures, measures: Measures) => string;
  /** Says nothing for less than a year. */
  readonly yearly?: true;
  /** Said however short the stretch is. */
  readonly always?: true;
  /** Says nothing where there is no fee. */
  readonly afterFee?: true;
};

const percent = (fraction: number | null) => showFraction(fraction, { decimals: 2 });

const ROWS: readonly Row[] = [
  { name: 'Days measured', always: true, show: (sample) => showCount(sample.periods) },
  { name: 'Total return', always: true, show: (_, all) => percent(all.totalReturn) },
  {
    name: 'Total return after the fee',
    always: true,
    afterFee: true,
    show: (sample) => percent(sample.net.totalReturn),
  },
  { name: 'Annual return', yearly: true, show: (_, all) => percent(all.annualReturn) },
  {
    name: 'Annual return after the fee',
    yearly: true,
    afterFee: true,
    show: (sample) => percent(sample.net.annualReturn),
  },
  { name: 'Annualized volatility', show: (_, all) => percent(all.volatility) },
  { name: 'Sharpe ratio', yearly: true, show: (_, all) => showNumber(all.sharpe) },
  {
    name: 'Sharpe ratio after the fee',
    yearly: true,
    afterFee: true,
    show: (sample) => showNumber(sample.net.sharpe),
  },
  { name: 'Sortino ratio', yearly: true, show: (_, all) => showNumber(all.sortino) },
  { name: 'Calmar ratio', yearly: true, show: (_, all) => showNumber(all.calmar) },
  { name: 'Max drawdown', show: (_, all) => percent(all.maxDrawdown) },
  { name: 'Peak date', show: (_, all) => showDate(all.maxDrawdownDates?.peak) },
  { name: 'Trough date', show: (_, all) => showDate(all.maxDrawdownDates?.trough) },
  { name: 'Recovered', show: (_, all) => madeGood(all) },
  { name: 'Drawdown length, trading days', show: (_, all) => showCount(all.maxDrawdownDates?.bars) },
  { name: 'Best month', show: (_, all) => monthOf(all.months?.best) },
  { name: 'Worst month', show: (_, all) => monthOf(all.months?.worst) },
  { name: 'Value at risk, one day, 95%', show: (_, all) => percent(all.valueAtRisk) },
  { name: 'Expected shortfall, one day, 95%', show: (_, all) => percent(all.expectedShortfall) },
  { name: 'Annual alpha', yearly: true, show: (_, all) => percent(all.alpha) },
  { name: 'Beta', show: (_, all) => showNumber(all.beta) },
  { name: 'Closed trades', always: true, show: (_, all) => showCount(all.trades) },
  { name: 'Win rate', show: (_, all) => percent(all.winRate) },
  { name: 'Profit factor', show: (_, all) => showNumber(all.profitFactor) },
  { name: 'Average trade return', show: (_, all) => percent(all.averageTradeReturn) },
  { name: 'Average holding period, days', show: (_, all) => showNumber(all.averageHoldingDays, 1) },
  { name: 'Time in the market', show: (_, all) => percent(all.timeInMarket) },
  { name: 'Average exposure', show: (_, all) => percent(all.averageGross) },
  { name: 'Annual turnover', show: (_, all) => percent(all.turnover) },
];

const DAYS_A_YEAR = 365;

function columnsOf({ samples }: PassportAnswer, isEnough: boolean): readonly Column<Row>[] {
  return [
    { key: 'name', header: 'Measure', cell: (row) => <MeasureName>{row.name}</MeasureName> },
    {
      key: 'in',
      header: <SampleHeader texture="in-sample" />,
      align: 'right',
      cell: (row) => cellOf(row, samples.inSample, 'shown'),
    },
    {
      key: 'out',
      header: <SampleHeader texture="out-of-sample" />,
      align: 'right',
      cell: (row) => cellOf(row, samples.outOfSample, isEnough ? 'shown' : 'too_short'),
    },
    {
      key: 'whole',
      header: 'Full record',
      align: 'right',
      cell: (row) => cellOf(row, samples.whole, 'shown'),
    },
  ];
}

/** On a narrow screen the names wrap, so that the figures are in sight. */
function MeasureName({ children }: { children: string }) {
  return <span className="block w-28 whitespace-normal sm:w-auto sm:whitespace-nowrap">{children}</span>;
}

/** Hyphens are not digits: tabular figures would space them apart. */
function SampleHeader({ texture }: { texture: 'in-sample' | 'out-of-sample' }) {
  return (
    <span className="inline-flex items-center gap-2 normal-nums">
      <TextureKey texture={texture} words={false} />
      <span aria-hidden="true">{texture === 'in-sample' ? 'In-sample' : 'Out-of-sample'}</span>
    </span>
  );
}

function cellOf(row: Row, sample: SampleMeasures | null, length: 'shown' | 'too_short'): string {
  if (sample === null) return '–';
  if (row.yearly && daysOf(sample) < DAYS_A_YEAR) return '–';
  if (length === 'too_short' && !row.always) return 'not enough yet';
  return row.show(sample, sample.gross);
}

function daysOf({ firstDate, lastDate }: SampleMeasures): number {
  return (Date.parse(lastDate) - Date.parse(firstDate)) / 86_400_000;
}

function madeGood({ maxDrawdownDates: days }: Measures): string {
  if (days === null) return '–';
  return days.recovered === null ? 'not yet' : showDate(days.recovered);
}

function monthOf(span: { readonly span: string; readonly return: number } | undefined): string {
  return span === undefined ? '–' : `${percent(span.return)} in ${showMonth(`${span.span}-01`)}`;
}
