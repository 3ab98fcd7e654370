import type { ReactNode } from 'react';
import type { Deployment } from '#contract/deployments.ts';
import type { ExpectedRange } from '#contract/expected-range.ts';
import { hasEnded } from '#engine/lifecycle/status.ts';
import {
  ACKNOWLEDGE_MEANING,
  TRIPWIRE_RATE_SENTENCE,
  TRIPWIRE_STATE_LABELS,
  tripwireReactionSentence,
} from '#rules/deployments/tripwire-text.ts';
import { openFile } from '../call/open-file.ts';
import { Button } from '../kit/control/button.tsx';
import { SaveButton } from '../kit/control/save-button.tsx';
import { showCounted, showDate, showMoney, showPercent } from '../kit/figure/show-figure.ts';
import { TextureKey } from '../kit/figure/texture-key.tsx';
import { SectionTitle } from '../kit/page/section-title.tsx';
import { Badge, type BadgeTone } from '../kit/state/badge.tsx';
import { ErrorState } from '../kit/state/error-state.tsx';
import { Notice } from '../kit/state/notice.tsx';
import { Skeleton } from '../kit/state/skeleton.tsx';
import { useAcknowledgeTripwire, useExpectedRange } from './expectation-queries.ts';
import { baseOf, expectedOn } from './expected-lines.ts';

/** Where the deployment was expected to be by now, where it is, and whether its days still fit its record. */
export function ExpectationPanel({ deployment }: { deployment: Deployment }) {
  const { data: range, isError, refetch } = useExpectedRange(deployment.id);
  return (
    <section aria-labelledby="expectation" className="grid gap-4">
      <SectionTitle
        id="expectation"
        note={range ? originOf(range) : 'From its published record.'}
        aside={
          range && range.rows.length > 0 ? (
            <SaveButton
              small
              label="Expected range as CSV"
              save={() => openFile('downloadExpectedRange', { params: { id: deployment.id } })}
            >
              CSV
            </SaveButton>
          ) : undefined
        }
      >
        Expected Range
      </SectionTitle>
      {range ? (
        <Body range={range} deployment={deployment} />
      ) : isError ? (
        <ErrorState title="The expected range could not be loaded" onRetry={() => void refetch()} />
      ) : (
        <Skeleton className="h-36" />
      )}
    </section>
  );
}

function originOf({ made_at: madeAt, made_from: from }: ExpectedRange): string {
  if (madeAt === null || from === null) return 'From its published record.';
  return `Made on ${showDate(madeAt)} from ${showCounted(from.days, 'day')} of its published record with the amount and limits of that day, and never changed since.`;
}

function Body({ range, deployment }: { range: ExpectedRange; deployment: Deployment }) {
  if (range.unavailable !== null)
    return <p className="max-w-prose border-y py-5 text-sm text-ink-soft">{range.unavailable}</p>;
  return (
    <div className="grid gap-4 text-sm">
      <Now range={range} deployment={deployment} />
      <Comparison range={range} deployment={deployment} />
      <Assumptions range={range} />
    </div>
  );
}

function Now({ range, deployment }: { range: ExpectedRange; deployment: Deployment }) {
  const { equity, as_of: asOf } = deployment;
  const base = baseOf(deployment);
  const day = expectedOn(range.rows, asOf);
  const last = range.rows.at(-1)?.date;
  if (day === null)
    return (
      <p className="max-w-prose text-ink-soft">
        The range reached to {showDate(last)}. It says nothing of later days.
      </p>
    );
  const [low, high] = [day.p5 * base, day.p95 * base];
  const place = equity < low ? ', below that range' : equity > high ? ', above that range' : '';
  return (
    <p className="flex max-w-prose items-baseline gap-3 text-base text-ink-soft">
      <TextureKey texture="expected" words={false} />
      <span>
        In nine of ten alternatives it would be between <Figure>{dollars(low)}</Figure> and{' '}
        <Figure>{dollars(high)}</Figure> by now; it is at <Figure>{dollars(equity)}</Figure>
        {place}.
      </span>
    </p>
  );
}

function Comparison({ range: { tripwire }, deployment }: { range: ExpectedRange; deployment: Deployment }) {
  const { state, since, meaning } = tripwire;
  const acknowledge = useAcknowledgeTripwire(deployment.id);
  if (state === 'red' && !hasEnded(deployment.status))
    return (
      <Notice
        tone="caution"
        title={`${TRIPWIRE_STATE_LABELS[state]} since ${showDate(since ?? undefined)}`}
        action={
          <Button
            variant="secondary"
            size="small"
            busy={acknowledge.isPending}
            busyLabel="Saving..."
            onClick={() => acknowledge.mutate()}
          >
            Acknowledge
          </Button>
        }
      >
        {meaning} {tripwireReactionSentence(deployment.tripwire_choice)} {ACKNOWLEDGE_MEANING}
      </Notice>
    );
  return (
    <p className="flex max-w-prose flex-wrap items-center gap-x-3 gap-y-2 text-ink-soft">
      <Badge tone={TONES[state]}>{TRIPWIRE_STATE_LABELS[state]}</Badge>
      <span className="min-w-0 flex-1 basis-64">{meaning}</span>
    </p>
  );
}

const TONES: Readonly<Record<ExpectedRange['tripwire']['state'], BadgeTone>> = {
  green: 'neutral',
  amber: 'caution',
  red: 'caution',
};

function Assumptions({ range }: { range: ExpectedRange }) {
  const { made_from: from, alternatives } = range;
  if (from === null) return null;
  const inSample = from.days === 0 ? 0 : (from.days_in_sample / from.days) * 100;
  return (
    <details>
      <summary className="w-fit cursor-pointer rounded-control py-1 text-accent hover:underline">
        What this assumes
      </summary>
      <ul className="mt-2 grid max-w-prose list-disc gap-1.5 pl-5 text-ink-soft">
        <li>
          The spread of the past continues. The range is {alternatives?.toLocaleString('en-US')} other orders
          of the same days, a month at a time, from {showDate(from.first_date)} to {showDate(from.last_date)}.
          What never happened then is not in it.
        </li>
        <li>
          {showPercent(inSample, { decimals: 0 })} of these days were known when the strategy was made. Such
          days look better than what follows.
        </li>
        <li>
          It counts {dollars(from.investment_amount)}, a stop loss of {percent(from.stop_loss_percentage)},{' '}
          {percent(from.max_allocation_per_trade)} at most in one position
          {from.freeze_on_drawdown > 0 && `, a freeze at ${percent(from.freeze_on_drawdown)}`} and the costs
          of trading. A performance fee is billed separately and is not in it.
        </li>
        <li>{TRIPWIRE_RATE_SENTENCE} Days on which you or a limit kept it from trading are left out.</li>
      </ul>
    </details>
  );
}

function Figure({ children }: { children: ReactNode }) {
  return <span className="figures text-ink">{children}</span>;
}

const dollars = (amount: number) => showMoney(amount, { cents: 'never' });
const percent = (value: number) => showPercent(value, { decimals: 0 });
