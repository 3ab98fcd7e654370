import type { BacktestJob, ShownAttack } from '#contract/strategies/backtests.ts';
import type { StrategyDraft } from '#contract/strategies/strategy-drafts.ts';
import { sentenceOf } from '../call/call-error.ts';
import { Button } from '../kit/control/button.tsx';
import { type Column, DataTable } from '../kit/figure/data-table.tsx';
import { Hypothetical } from '../kit/figure/hypothetical.tsx';
import {
  showCounted,
  showDate,
  showNumber,
  showPercent,
  showProbability,
} from '../kit/figure/show-figure.ts';
import { SectionTitle } from '../kit/page/section-title.tsx';
import { Badge, type BadgeTone } from '../kit/state/badge.tsx';
import { LoadingText } from '../kit/state/loading-text.tsx';
import { Notice } from '../kit/state/notice.tsx';
import { useAskBacktest, useAttack } from './builder-queries.ts';

type Part = { draft: StrategyDraft; isBusy: boolean; job: BacktestJob | undefined; ledger: string };

/** Tries to break the result above, and says what is left of it. */
export function AttackPanel({ draft, isBusy, job, ledger }: Part) {
  const attack = useAttack(draft, ledger);
  const ask = useAskBacktest(draft.id);
  const found = attack.data?.attack ?? null;
  return (
    <section aria-labelledby="attack">
      <SectionTitle
        id="attack"
        note="Nine tries to break this result: luck, costs, delay, its best trades, its numbers, its timing, crises, unseen days, other instruments."
        aside={found && <Badge tone={VERDICT_TONES[found.verdict]}>{found.word}</Badge>}
      >
        Attack
      </SectionTitle>
      {attack.isPending && <LoadingText>Loading the attack...</LoadingText>}
      {attack.isError && (
        <Notice tone="failure">
          The attack could not be loaded. Nothing is lost; please try again shortly.
        </Notice>
      )}
      {found && <AttackFound attack={found} />}
      {!found && job?.status === 'failed' && (
        <Notice tone="failure" title="The attack did not finish">
          {job.message}
        </Notice>
      )}
      {ask.isError && (
        <Notice tone="failure" title="The attack was not started">
          {sentenceOf(ask.error, 'Please try again.')}
        </Notice>
      )}
      {attack.isSuccess && (
        <>
          <Button
            variant={found ? 'quiet' : 'secondary'}
            className="mt-6"
            disabled={isBusy}
            busy={ask.isPending}
            busyLabel="Starting..."
            onClick={() => ask.mutate({ kind: 'attack' })}
          >
            {found ? 'Attack again' : 'Attack this strategy'}
          </Button>
          <p className="mt-3 max-w-prose text-sm text-ink-faint">
            The neighbours of its numbers count as tries, because you could change to the best of them. The
            other runs choose nothing and do not count.
          </p>
        </>
      )}
    </section>
  );
}

/** The verdict, and what each attack found. */
export function AttackFound({ attack }: { attack: ShownAttack }) {
  return (
    <div className="mt-6 grid gap-5">
      <p className="text-lg text-balance">{attack.sentence}</p>
      <DataTable
        caption="What each attack found"
        columns={COLUMNS}
        rows={attack.findings}
        rowKey={({ code }) => code}
      />
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-ink-faint">
        <Hypothetical />
        <span>
          As of {showDate(attack.at)}, counting {showCounted(attack.trials, 'try', 'tries')}
        </span>
      </p>
    </div>
  );
}

type Finding = ShownAttack['findings'][number];

const VERDICT_TONES: Readonly<Record<ShownAttack['verdict'], BadgeTone>> = {
  withstood: 'brass',
  doubtful: 'neutral',
  do_not_deploy: 'caution',
  not_judged: 'neutral',
};

const OUTCOMES: Readonly<Record<Finding['outcome'], { word: string; tone: BadgeTone }>> = {
  survived: { word: 'Survived', tone: 'neutral' },
  failed: { word: 'Failed', tone: 'caution' },
  not_run: { word: 'Not run', tone: 'neutral' },
};

const COLUMNS: readonly Column<Finding>[] = [
  {
    key: 'attack',
    header: 'Attack',
    cell: ({ name, question, outcome, sentence }) => (
      <span className="grid gap-0.5">
        <span>{name}</span>
        <span className="text-sm text-ink-faint">{outcome === 'not_run' ? sentence : question}</span>
      </span>
    ),
  },
  { key: 'figure', header: 'Found', align: 'right', cell: ({ figure, unit }) => shown(figure, unit) },
  {
    key: 'threshold',
    header: 'Needs more than',
    align: 'right',
    cell: ({ threshold, unit }) => shown(threshold, unit),
  },
  {
    key: 'outcome',
    header: 'Outcome',
    align: 'right',
    cell: ({ outcome }) => <Badge tone={OUTCOMES[outcome].tone}>{OUTCOMES[outcome].word}</Badge>,
  },
];

function shown(value: number | null, unit: Finding['unit']): string {
  if (value === null) return '\u2013';
  if (unit === 'ratio') return showNumber(value);
  return unit === 'probability' ? showProbability(value) : showPercent(value * 100, { decimals: 0 });
}
