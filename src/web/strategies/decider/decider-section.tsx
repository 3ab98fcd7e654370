import type { ReactNode } from 'react';
import type { Decider } from '#contract/strategies/decider.ts';
import type { Strategy } from '#contract/strategies/strategies.ts';
import { PerformanceChart } from '../../kit/chart/performance-chart.tsx';
import { RECORD_RANGES } from '../../kit/chart/scale/time-range.ts';
import { type Column, DataTable } from '../../kit/figure/data-table.tsx';
import { showCount, showDate, showMoney, showNumber, showPercent } from '../../kit/figure/show-figure.ts';
import { TextureKey } from '../../kit/figure/texture-key.tsx';
import { ErrorState } from '../../kit/state/error-state.tsx';
import { Notice } from '../../kit/state/notice.tsx';
import { Skeleton } from '../../kit/state/skeleton.tsx';
import { useStrategyPerformance } from '../strategy-queries.ts';

/** A model that decides: what is fixed of it, what it may know, its probes and the record of its answers. */
export function DeciderSection({ strategy, decider }: { strategy: Strategy; decider: Decider }) {
  return (
    <div className="grid grid-cols-1 gap-10 pb-8">
      {decider.is_stand_in && (
        <Notice>
          These are answers of a stand-in, which follows a simple rule. They show how such a strategy is
          recorded, tested and traded, and nothing of what a model is worth.
        </Notice>
      )}
      <dl className="grid gap-x-12 gap-y-4 sm:grid-cols-2">
        {decider.lines.map(({ title, text }) => (
          <div key={title} className="border-t pt-3">
            <dt className="text-sm text-ink-faint">{title}</dt>
            <dd className="mt-1 text-ink-soft">{text}</dd>
          </div>
        ))}
      </dl>
      <KnownRecord strategy={strategy} decider={decider} />
      <Part title="Leak probes">
        <p className="prose-width mb-3 text-sm text-ink-faint">
          The same closes, asked in other forms. A model that decides by the numbers decides alike without
          names and dates. One that remembers what came earns much in the days that it knows, and little when
          they are masked.
        </p>
        <DataTable caption="Leak probes" columns={PROBES} rows={decider.probes} rowKey={({ form }) => form} />
      </Part>
      <Part title="The newest answers">
        <p className="prose-width mb-3 text-sm text-ink-faint">
          {showCount(decider.answered)} of {showCount(decider.decisions)} decisions had an answer, for{' '}
          {showMoney(decider.cost)} in tokens, which the published record pays. Backtests replay this record
          and ask nobody.
        </p>
        <DataTable
          caption="The newest answers"
          columns={ANSWERS}
          rows={decider.newest}
          rowKey={({ as_of }) => as_of}
        />
      </Part>
    </div>
  );
}

function KnownRecord({ strategy, decider }: { strategy: Strategy; decider: Decider }) {
  const { data: performance, isError, refetch } = useStrategyPerformance(strategy.id, 'day');
  const { known } = strategy.samples;
  return (
    <section aria-label="What the model may know">
      {isError && <ErrorState title="Failed to load the record" onRetry={() => void refetch()} />}
      {!performance && !isError && <Skeleton className="h-96" />}
      {performance && performance.labels.length > 1 && (
        <PerformanceChart
          title="What the model may know"
          note={
            <span className="inline-flex flex-wrap items-center gap-x-4 gap-y-1">
              <TextureKey texture="known" />
              <TextureKey texture="in-sample" />
            </span>
          }
          labels={performance.labels}
          data={performance.data}
          name="Strategy"
          measure="change"
          texture="known"
          later={{ after: decider.knowledge_until, texture: 'in-sample' }}
          rememberAs="known"
          ranges={RECORD_RANGES}
          height={260}
        />
      )}
      <p className="prose-width mt-3 text-sm text-ink-faint">
        The model may have learned what happened until {showDate(decider.knowledge_until)}. Those days are
        drawn here and are in no figure of this page
        {known === null
          ? '.'
          : `: the ${showPercent(known.total_return)} that it made in them prove nothing.`}
      </p>
    </section>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div>
      <h3 className="mb-3 text-base font-medium">{title}</h3>
      {children}
    </div>
  );
}

type Probe = Decider['probes'][number];
type Answer = Decider['newest'][number];

const share = (value: number | null) => (value === null ? '–' : `${showNumber(value * 100, 0)}%`);

const PROBES: readonly Column<Probe>[] = [
  { key: 'form', header: 'Asked', cell: (row) => row.name },
  {
    key: 'known',
    header: 'A year, known days',
    align: 'right',
    cell: (row) => showPercent(row.known_annual_return),
  },
  { key: 'annual', header: 'A year, after', align: 'right', cell: (row) => showPercent(row.annual_return) },
  { key: 'sharpe', header: 'Sharpe, after', align: 'right', cell: (row) => showNumber(row.sharpe_ratio) },
  { key: 'alike', header: 'Money alike', align: 'right', cell: (row) => share(row.alike) },
  { key: 'agreement', header: 'Samples agree', align: 'right', cell: (row) => share(row.agreement) },
];

const ANSWERS: readonly Column<Answer>[] = [
  { key: 'as_of', header: 'Close', cell: (row) => showDate(row.as_of) },
  { key: 'weights', header: 'Proposes', cell: proposes },
  { key: 'agreement', header: 'Samples agree', align: 'right', cell: (row) => share(row.agreement) },
  { key: 'cost', header: 'Cost', align: 'right', cell: (row) => showMoney(row.cost) },
  {
    key: 'prompt',
    header: 'Prompt',
    align: 'right',
    cell: (row) => <code className="font-mono text-xs">{row.prompt_hash.slice(0, 12)}</code>,
  },
];

function proposes({ weights, failures }: Answer): string {
  if (weights === null) return failures.join(', ') || 'No answer';
  const held = Object.entries(weights).filter(([, value]) => value !== 0);
  if (held.length === 0) return 'Cash';
  return held
    .toSorted(([, one], [, other]) => Math.abs(other) - Math.abs(one))
    .map(([symbol, value]) => `${symbol} ${showNumber(value * 100, 0)}%`)
    .join(', ');
}
