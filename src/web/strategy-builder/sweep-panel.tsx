import { useMemo, useState } from 'react';
import type { BacktestJob, SweepRun } from '#contract/strategies/backtests.ts';
import type { StrategyDefinition } from '#engine/strategy/definition.ts';
import { sentenceOf } from '../call/call-error.ts';
import { Badge } from '../kit/state/badge.tsx';
import { Button } from '../kit/control/button.tsx';
import { Change } from '../kit/figure/change.tsx';
import { type Column, DataTable } from '../kit/figure/data-table.tsx';
import { Field } from '../kit/control/field.tsx';
import { Hypothetical } from '../kit/figure/hypothetical.tsx';
import { Notice } from '../kit/state/notice.tsx';
import { SectionTitle } from '../kit/page/section-title.tsx';
import { Select } from '../kit/control/select.tsx';
import {
  showCount,
  showCounted,
  showNumber,
  showPercent,
  showProbability,
} from '../kit/figure/show-figure.ts';
import { StatRow } from '../kit/figure/stat-row.tsx';
import { useAskBacktest, useTuneStrategy } from './builder-queries.ts';
import { sweepGrid } from './sweep-grid.ts';
import { SweepMap } from './sweep-map.tsx';
import { showTunable, type TunableNumber, tunableNumbers, valuesAround } from './tunable-numbers.ts';

type Part = { strategyId: string; definition: StrategyDefinition; isBusy: boolean };

/** Tries values around one or two numbers at once, and says what finding the best of them is worth. */
export function SweepPanel({ strategyId, definition, isBusy, job }: Part & { job: BacktestJob | undefined }) {
  const numbers = tunableNumbers(definition);
  if (numbers.length === 0) return null;
  return (
    <section aria-labelledby="sweep">
      <SectionTitle
        id="sweep"
        note="Runs the rules with values around the current ones, using only days up to the last change. Each run counts as a try."
      >
        Sweep
      </SectionTitle>
      <SweepForm strategyId={strategyId} numbers={numbers} isBusy={isBusy} />
      {job?.result?.sweep && (
        <SweepTable strategyId={strategyId} numbers={numbers} isBusy={isBusy} job={job} />
      )}
    </section>
  );
}

function SweepForm({
  strategyId,
  numbers,
  isBusy,
}: Pick<Part, 'strategyId' | 'isBusy'> & { numbers: readonly TunableNumber[] }) {
  const ask = useAskBacktest(strategyId);
  const [first, setFirst] = useState(numbers[0]!.path);
  const [second, setSecond] = useState('');
  const chosen = numbers.filter(({ path }) => path === first || path === second);
  const parameters = chosen.map((number) => ({ path: number.path, values: [...valuesAround(number)] }));
  const runs = parameters.reduce((product, { values }) => product * values.length, 1);
  const options = numbers.map(({ path, label }) => ({ value: path, label }));
  return (
    <>
      <div className="mt-6 grid items-start gap-5 md:grid-cols-2">
        <Field label="Number" hint={valuesHint(numbers, first)}>
          {(wiring) => (
            <Select
              {...wiring}
              options={options}
              value={first}
              onChange={(event) => setFirst(event.target.value)}
            />
          )}
        </Field>
        <Field label="Together with" hint={valuesHint(numbers, second)}>
          {(wiring) => (
            <Select
              {...wiring}
              options={[{ value: '', label: 'None' }, ...options.filter(({ value }) => value !== first)]}
              value={second === first ? '' : second}
              onChange={(event) => setSecond(event.target.value)}
            />
          )}
        </Field>
      </div>
      {ask.isError && (
        <div className="mt-5">
          <Notice tone="failure" title="The sweep was not started">
            {sentenceOf(ask.error, 'Please try again.')}
          </Notice>
        </div>
      )}
      <Button
        variant="secondary"
        className="mt-6"
        disabled={isBusy}
        busy={ask.isPending}
        busyLabel="Starting..."
        onClick={() => ask.mutate({ kind: 'sweep', parameters })}
      >
        Try {showCounted(runs, 'combination')}
      </Button>
    </>
  );
}

function valuesHint(numbers: readonly TunableNumber[], path: string): string | undefined {
  const number = numbers.find((one) => one.path === path);
  return (
    number &&
    valuesAround(number)
      .map((value) => showTunable(number, value))
      .join(', ')
  );
}

function SweepTable({
  strategyId,
  numbers,
  isBusy,
  job,
}: Pick<Part, 'strategyId' | 'isBusy'> & { numbers: readonly TunableNumber[]; job: BacktestJob }) {
  const tune = useTuneStrategy(strategyId);
  const [asTable, setAsTable] = useState(false);
  const sweep = job.result?.sweep;
  const grid = useMemo(() => (sweep ? sweepGrid(sweep.runs) : null), [sweep]);
  if (!job.result || !sweep) return null;
  const isWaiting = isBusy || tune.isPending;
  const use = (run: SweepRun) => tune.mutate({ values: run.parameters });
  const rows = sweep.runs.map((run, place) => ({
    run,
    place,
    isBest: place === sweep.best,
    isBusy: isWaiting,
    use: () => use(run),
  }));
  const columns = [...parameterColumns(sweep.runs, numbers), ...FIGURES];
  const isMap = grid !== null && !asTable;
  return (
    <div className="mt-8 grid grid-cols-1 gap-6">
      {isMap ? (
        <SweepMap key={job.id} grid={grid} best={sweep.best} numbers={numbers} isBusy={isWaiting} use={use} />
      ) : (
        <DataTable
          caption="Runs of the sweep"
          columns={columns}
          rows={rows}
          rowKey={({ place }) => String(place)}
        />
      )}
      <p className="flex flex-wrap items-center justify-between gap-3">
        <Hypothetical />
        {grid !== null && (
          <Button size="small" variant="quiet" aria-pressed={asTable} onClick={() => setAsTable(!asTable)}>
            As a table
          </Button>
        )}
      </p>
      {tune.isError && (
        <Notice tone="failure" title="These numbers were not accepted">
          {sentenceOf(tune.error, 'The draft has not changed.')}
        </Notice>
      )}
      <dl className="border-t">
        <StatRow label="Tries that count" note="Of this kind, over all your drafts, including sweeps">
          {showCount(job.result.trials)}
        </StatRow>
        <StatRow label="Chance that the best beats luck" note="Deflated Sharpe ratio, counting all tries">
          {showProbability(sweep.deflated_sharpe)}
        </StatRow>
        <StatRow
          label="Probability of overfitting"
          note="How often the best on one half does poorly on the other"
        >
          {showProbability(sweep.pbo)}
        </StatRow>
      </dl>
    </div>
  );
}

type Row = {
  readonly run: SweepRun;
  readonly place: number;
  readonly isBest: boolean;
  readonly isBusy: boolean;
  readonly use: () => void;
};

function parameterColumns(runs: readonly SweepRun[], numbers: readonly TunableNumber[]): Column<Row>[] {
  return Object.keys(runs[0]?.parameters ?? {}).map((path) => {
    const number = numbers.find((one) => one.path === path);
    const show = (value: number | undefined) =>
      value === undefined ? '' : number ? showTunable(number, value) : showNumber(value, 1);
    return {
      key: path,
      header: number?.label ?? path,
      cell: ({ run, isBest }) => (
        <span className="figures inline-flex items-center gap-2">
          {show(run.parameters[path])}
          {isBest && path === Object.keys(run.parameters)[0] && <Badge tone="accent">Best</Badge>}
        </span>
      ),
    };
  });
}

const FIGURES: readonly Column<Row>[] = [
  {
    key: 'annual',
    header: 'Annual return',
    align: 'right',
    cell: ({ run }) => <Change value={run.annual_return} />,
  },
  { key: 'sharpe', header: 'Sharpe', align: 'right', cell: ({ run }) => showNumber(run.sharpe) },
  { key: 'fall', header: 'Max drawdown', align: 'right', cell: ({ run }) => showPercent(run.max_drawdown) },
  {
    key: 'trades',
    header: 'Trades',
    align: 'right',
    cell: ({ run }) => run.failure ?? showCount(run.trades),
  },
  {
    key: 'use',
    header: <span className="sr-only">Choice</span>,
    align: 'right',
    cell: ({ run, place, isBusy, use }) => (
      <Button
        size="small"
        variant="quiet"
        disabled={isBusy || run.failure !== undefined}
        aria-label={`Use run ${place + 1}`}
        onClick={use}
      >
        Use
      </Button>
    ),
  },
];
