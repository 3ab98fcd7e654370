import { useMemo } from 'react';
import type { Strategy } from '#contract/strategies/strategies.ts';
import type { Rehearsal, RehearsalTerms } from '#engine/rehearsal/rehearsal.ts';
import { fromMicro } from '#units/money.ts';
import { classNames } from '../kit/class-names.ts';
import { Change } from '../kit/figure/change.tsx';
import { showDate, showFraction, showMoney, showShare } from '../kit/figure/show-figure.ts';
import { Stat } from '../kit/figure/stat.tsx';
import { ErrorState } from '../kit/state/error-state.tsx';
import { LoadingText } from '../kit/state/loading-text.tsx';
import { Notice } from '../kit/state/notice.tsx';
import { Skeleton } from '../kit/state/skeleton.tsx';
import { LimitRecord } from './limit-record.tsx';
import { MoneyChart } from './money-chart.tsx';
import { rehearsedLines } from './money-lines.ts';
import type { RehearsalState } from './use-rehearsal.ts';

/** What came of it: my dollars first, then their doubt. */
export function RehearsalResult({
  strategy,
  state,
}: {
  strategy: Pick<Strategy, 'min_investment'>;
  state: RehearsalState;
}) {
  if (state.at === 'failed')
    return (
      <ErrorState
        title="The rehearsal is not available"
        {...(state.retry === null ? {} : { onRetry: state.retry })}
      >
        {state.message}
      </ErrorState>
    );
  // As high as what comes, and still: nothing loads yet.
  if (state.at === 'unseen') return <div className="h-96" />;
  if (state.at !== 'done') return <Waiting state={state} />;
  const { rehearsal, terms } = state;
  const amount = fromMicro(terms.amount);
  return (
    <div className="grid min-w-0 content-start gap-8">
      {rehearsal.fills === 0 ? (
        <Impossible terms={terms} />
      ) : (
        <>
          {amount < strategy.min_investment && (
            <Notice tone="caution">
              This is less than the minimum of {showMoney(strategy.min_investment, { cents: 'auto' })}: it can
              be rehearsed, not deployed.
            </Notice>
          )}
          <Outcome rehearsal={rehearsal} amount={amount} hasFee={terms.feePercent > 0} />
          <RehearsedChart rehearsal={rehearsal} />
          <Alternatives rehearsal={rehearsal} amount={amount} />
          <LimitRecord rehearsal={rehearsal} terms={terms} />
        </>
      )}
    </div>
  );
}

function RehearsedChart({ rehearsal }: { rehearsal: Rehearsal }) {
  const lines = useMemo(() => rehearsedLines(rehearsal), [rehearsal]);
  return <MoneyChart title="Your dollars over time" lines={lines} texture="in-sample" height={280} />;
}

function Waiting({ state }: { state: Exclude<RehearsalState, { at: 'unseen' | 'done' | 'failed' }> }) {
  const megabytes = state.at === 'loading' ? state.receivedBytes / 1e6 : 0;
  const loading = megabytes > 0 ? `Loading prices: ${megabytes.toFixed(1)} MB...` : 'Loading prices...';
  return (
    <div className="grid content-start gap-4">
      <LoadingText>{state.at === 'running' ? 'Rehearsing...' : loading}</LoadingText>
      <Skeleton className="h-20" />
      <Skeleton className="h-72" />
    </div>
  );
}

export function Impossible({ terms: { amount, limits, takesFractions } }: { terms: RehearsalTerms }) {
  const dollars = fromMicro(amount);
  const share = limits.maxAllocationPercent / 100;
  const most = showMoney(dollars * share, { cents: 'auto' });
  return (
    <Notice tone="caution" title="With these terms it would never have traded">
      At most {showShare(limits.maxAllocationPercent)} of {showMoney(dollars, { cents: 'auto' })} goes into
      one position. That is {most}, less than its smallest order costs. Raise the amount or the allocation
      {takesFractions ? '' : ', or choose fractions where your broker offers them'}.
    </Notice>
  );
}

function Outcome({ rehearsal, amount, hasFee }: { rehearsal: Rehearsal; amount: number; hasFee: boolean }) {
  const { value, published, benchmark, dates, worstYear, deepestFall, feePaid } = rehearsal;
  const first = showDate(dates[0]);
  return (
    <dl className="grid grid-cols-2 gap-x-6 gap-y-6 sm:grid-cols-3">
      <Stat
        size="large"
        label={`Your ${showMoney(amount, { cents: 'auto' })} from ${first}`}
        note={<Change value={percentOf(value.at(-1)!, amount)} decimals={1} />}
      >
        {showMoney(value.at(-1), { cents: 'never' })}
      </Stat>
      <Stat label="As published" note={<Change value={percentOf(published.at(-1)!, amount)} decimals={1} />}>
        {showMoney(published.at(-1), { cents: 'never' })}
      </Stat>
      <Stat
        label="In the benchmark"
        note={<Change value={percentOf(benchmark.at(-1) ?? null, amount)} decimals={1} />}
      >
        {showMoney(benchmark.at(-1), { cents: 'never' })}
      </Stat>
      <Stat
        label="Worst twelve months"
        note={worstYear === null ? 'Less than a year' : `to ${showDate(worstYear.to)}`}
      >
        <span className={classNames(worstYear !== null && worstYear.dollars < 0 && 'text-loss')}>
          {worstYear === null
            ? '–'
            : `${showMoney(worstYear.dollars, { cents: 'never', sign: true })} (${showFraction(worstYear.change, { sign: true })})`}
        </span>
      </Stat>
      <Stat
        label="Deepest fall"
        note={
          deepestFall === null
            ? 'It only rose'
            : `${showDate(deepestFall.peak)} to ${showDate(deepestFall.trough)}`
        }
      >
        <span className={classNames(deepestFall !== null && 'text-loss')}>
          {deepestFall === null ? '–' : showFraction(deepestFall.depth)}
        </span>
      </Stat>
      {hasFee && (
        <Stat label="Performance fee" note="Taken off yours and the published">
          {showMoney(feePaid, { cents: 'never' })}
        </Stat>
      )}
    </dl>
  );
}

export function Alternatives({
  rehearsal: { alternatives },
  amount,
}: {
  rehearsal: Rehearsal;
  amount: number;
}) {
  if (alternatives === null) return null;
  const { paths, low, high, lossShare } = alternatives;
  return (
    <p className="text-sm text-ink-soft">
      History happened once. In {paths} other orders of the same months, nine in ten ended in the shaded
      range, between <span className="figures text-ink">{showMoney(low.at(-1), { cents: 'never' })}</span> and{' '}
      <span className="figures text-ink">{showMoney(high.at(-1), { cents: 'never' })}</span>;{' '}
      {lossShare === 0 ? 'none' : showFraction(lossShare)} ended with less than{' '}
      {showMoney(amount, { cents: 'auto' })}.
    </p>
  );
}

function percentOf(value: number | null, amount: number): number | null {
  return value === null ? null : (value / amount - 1) * 100;
}
