import { ChevronLeft, ChevronRight } from 'lucide-react';
import type { Statement } from '#contract/portfolio.ts';
import { STATEMENT_PERIODS, type StatementPeriod } from '#rules/portfolio/statement/period.ts';
import { LOT_METHOD_WORDS, TAX_NOTE } from '#rules/portfolio/statement/statement-text.ts';
import { CallError } from '../../call/call-error.ts';
import { openFile } from '../../call/open-file.ts';
import { useDeployments } from '../../deployments/deployment-queries.ts';
import { ClosedLotTable } from '../../portfolio/closed-lot-table.tsx';
import { coveredDays, neighbours, periodName } from '../../portfolio/period-name.ts';
import { StatementLines } from '../../portfolio/statement-lines.tsx';
import { useStatement } from '../../portfolio/statement-queries.ts';
import { ButtonLink } from '../../kit/control/button-link.tsx';
import { ICON_BUTTON } from '../../kit/control/icon-button.ts';
import { SaveButton } from '../../kit/control/save-button.tsx';
import { SegmentedControl } from '../../kit/control/segmented-control.tsx';
import { Select } from '../../kit/control/select.tsx';
import { Change } from '../../kit/figure/change.tsx';
import { type Column, DataTable } from '../../kit/figure/data-table.tsx';
import { showDate, showMoney } from '../../kit/figure/show-figure.ts';
import { AfterFirstFigures } from '../../kit/page/after-first-figures.tsx';
import { PageTitle } from '../../kit/page/page-title.tsx';
import { SectionTitle } from '../../kit/page/section-title.tsx';
import { usePageTitle } from '../../kit/page/use-page-title.ts';
import { useSearchParams } from '../../kit/page/use-search-params.ts';
import { EmptyState } from '../../kit/state/empty-state.tsx';
import { ErrorState } from '../../kit/state/error-state.tsx';
import { LoadingText } from '../../kit/state/loading-text.tsx';

type Asked = {
  readonly period: StatementPeriod;
  readonly method: Statement['method'];
  readonly day?: string;
  readonly deployment?: string;
};

/** What there was, what came and went, and what there is: by day, month, quarter and year. */
export function Statements() {
  usePageTitle('Statements');
  const [asked, ask] = useAsked();
  const statement = useStatement(asked);
  const isNothing = statement.error instanceof CallError && statement.error.status === 404;
  return (
    <div className="grid gap-8">
      <PageTitle lead="What your money was worth, what changed it, and what it is worth now. All lines sum.">
        Statements
      </PageTitle>
      {isNothing ? (
        <EmptyState
          title="Nothing to state yet"
          action={<ButtonLink to="/marketplace">Find a strategy</ButtonLink>}
        >
          The first statement follows your first deployment.
        </EmptyState>
      ) : statement.isError && statement.data === undefined ? (
        <ErrorState title="Failed to load the statement" onRetry={() => void statement.refetch()} />
      ) : statement.data === undefined ? (
        <div className="min-h-screen">
          <LoadingText>Loading the statement...</LoadingText>
        </div>
      ) : (
        <>
          <Choices asked={asked} ask={ask} statement={statement.data} />
          <Shown statement={statement.data} asked={asked} />
        </>
      )}
    </div>
  );
}

function Choices({
  asked,
  ask,
  statement,
}: {
  asked: Asked;
  ask: (change: Partial<Record<keyof Asked, string | undefined>>) => void;
  statement: Statement;
}) {
  const deployments = useDeployments();
  const { before, after } = neighbours(statement);
  return (
    <div className="flex flex-wrap items-end gap-x-6 gap-y-4 print:hidden">
      <SegmentedControl
        label="Period"
        options={STATEMENT_PERIODS.map((value) => ({ value, label: PERIOD_WORDS[value] }))}
        value={asked.period}
        onChange={(period) =>
          ask({ period, day: statement.to < statement.last_day ? statement.from : undefined })
        }
      />
      <div className="flex items-center gap-1">
        <Step to={before} label="Earlier" onStep={(day) => ask({ day })} />
        <span className="figures min-w-28 text-center" aria-live="polite">
          {periodName(statement)}
        </span>
        <Step to={after} label="Later" onStep={(day) => ask({ day })} />
      </div>
      <Select
        aria-label="Strategy"
        compact
        className="min-w-48 max-sm:w-full"
        value={asked.deployment ?? ''}
        options={[
          { value: '', label: 'All strategies' },
          ...(deployments.data ?? []).map(({ id, strategy_name, mode, deployed_at }) => ({
            value: id,
            label: `${strategy_name}, ${mode === 'practice' ? 'practice, ' : ''}${showDate(deployed_at)}`,
          })),
        ]}
        onChange={({ target }) => ask({ deployment: target.value === '' ? undefined : target.value })}
      />
    </div>
  );
}

function Step({ to, label, onStep }: { to: string | null; label: string; onStep: (day: string) => void }) {
  const Icon = label === 'Earlier' ? ChevronLeft : ChevronRight;
  return (
    <button
      type="button"
      aria-label={label}
      disabled={to === null}
      onClick={() => to !== null && onStep(to)}
      className={`${ICON_BUTTON} disabled:opacity-40`}
    >
      <Icon className="size-5" aria-hidden="true" />
    </button>
  );
}

function Shown({ statement, asked }: { statement: Statement; asked: Asked }) {
  const [, ask] = useAsked();
  const { from, total, deployments, lots, disallowed_since: since } = statement;
  const save = (name: Parameters<typeof openFile>[0]) => () =>
    openFile(name, { query: { ...asked, day: from } });
  return (
    <>
      <div className="grid gap-x-16 gap-y-8 lg:grid-cols-[minmax(0,26rem)_minmax(0,1fr)]">
        <section aria-labelledby="figures" className="grid content-start gap-2">
          <SectionTitle id="figures" note={coveredDays(statement)}>
            {periodName(statement)}
          </SectionTitle>
          <StatementLines figures={total} />
        </section>
        <div className="grid content-start gap-8">
          {deployments.length > 1 && (
            <section aria-labelledby="by-strategy" className="grid min-w-0 gap-2">
              <SectionTitle id="by-strategy">By strategy</SectionTitle>
              <DataTable
                caption="Statement by strategy"
                columns={BY_STRATEGY}
                rows={deployments}
                rowKey={({ deployment }) => deployment}
              />
            </section>
          )}
          <section aria-label="Files" className="flex flex-wrap gap-3 print:hidden">
            <SaveButton save={save('downloadStatement')}>PDF</SaveButton>
            <SaveButton save={save('downloadStatementFigures')}>Figures, CSV</SaveButton>
            <SaveButton save={save('downloadStatementLots')}>Tax lots, CSV</SaveButton>
            <SaveButton save={save('downloadStatementTrades')}>Trades, CSV</SaveButton>
          </section>
        </div>
      </div>
      <AfterFirstFigures>
        <section aria-labelledby="lots" className="grid gap-4">
          <SectionTitle
            id="lots"
            note={TAX_NOTE}
            aside={
              <Select
                aria-label="Which lots a sale closes first"
                compact
                className="min-w-48"
                value={statement.method}
                options={Object.entries(LOT_METHOD_WORDS).map(([value, label]) => ({ value, label }))}
                onChange={({ target }) => ask({ method: target.value })}
              />
            }
          >
            Sales by tax lot
          </SectionTitle>
          <ClosedLotTable lots={lots} />
          {since > 0 && (
            <p className="text-sm text-ink-soft">
              Purchases of this period made earlier sales wash sales: {showMoney(since)} of their losses no
              longer count for tax.
            </p>
          )}
        </section>
      </AfterFirstFigures>
    </>
  );
}

const BY_STRATEGY: readonly Column<Statement['deployments'][number]>[] = [
  { key: 'name', header: 'Strategy', cell: ({ strategy_name }) => strategy_name },
  { key: 'start', header: 'At the start', align: 'right', cell: ({ start_value }) => showMoney(start_value) },
  { key: 'end', header: 'At the end', align: 'right', cell: ({ end_value }) => showMoney(end_value) },
  {
    key: 'result',
    header: 'Result',
    align: 'right',
    cell: ({ start_value, end_value, money_in, money_out }) => (
      <Change value={cents(end_value - start_value - money_in - money_out)} unit="money" />
    ),
  },
];

const cents = (dollars: number) => Math.round(dollars * 100) / 100;

const PERIOD_WORDS: Readonly<Record<StatementPeriod, string>> = {
  day: 'Day',
  month: 'Month',
  quarter: 'Quarter',
  year: 'Year',
};

/** In the address, so that a statement can be returned to. */
function useAsked(): [Asked, (change: Partial<Record<keyof Asked, string | undefined>>) => void] {
  const [params, setParams] = useSearchParams();
  const period = STATEMENT_PERIODS.find((one) => one === params.get('period')) ?? 'month';
  const method = params.get('method');
  const day = params.get('day');
  const deployment = params.get('deployment');
  const asked: Asked = {
    period,
    method: method === 'lifo' || method === 'highest_cost' ? method : 'fifo',
    ...(day !== null && { day }),
    ...(deployment !== null && { deployment }),
  };
  const ask = (change: Partial<Record<keyof Asked, string | undefined>>) =>
    setParams(
      (present) => {
        const next = new URLSearchParams(present);
        for (const [name, value] of Object.entries(change))
          if (value === undefined) next.delete(name);
          else next.set(name, value);
        return next;
      },
      { replace: true },
    );
  return [asked, ask];
}
