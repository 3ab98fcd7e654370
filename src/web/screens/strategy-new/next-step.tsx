import { sentenceOf } from '../../call/call-error.ts';
import { Button } from '../../kit/control/button.tsx';
import { showCounted } from '../../kit/figure/show-figure.ts';
import { showToast } from '../../kit/overlay/toast.ts';
import { useAskBacktest, useAttack, useDraftResult } from '../../strategy-builder/builder-queries.ts';
import { JobProgress } from '../../strategy-builder/draft-progress.tsx';
import type { DraftState } from '../../strategy-builder/draft-state.ts';
import { DeployLink } from './deploy-link.tsx';
import { type DraftTab, useDraftTab } from './draft-tab.ts';

type Sized = { state: DraftState; size?: 'small' | 'large'; wide?: boolean };

/** The one thing to do next: test, attack, practise, then deploy. */
export function NextStep({ state, size = 'large', wide = false }: Sized) {
  const { draft, running, isTested, ledger } = state;
  const attack = useAttack(draft, ledger, isTested);
  const result = useDraftResult(draft, ledger, isTested);
  const ask = useAskBacktest(draft.id);
  const [, openTab] = useDraftTab();
  const isBusy = running !== undefined;
  if (!isTested)
    return (
      <Button
        size={size}
        wide={wide}
        disabled={isBusy || state.jobs === undefined}
        busy={ask.isPending}
        busyLabel="Starting..."
        onClick={() => ask.mutate({ kind: 'backtest' }, { onError: sayNotStarted })}
      >
        Run backtest
      </Button>
    );
  if (attack.data?.attack === null)
    return (
      <Button
        size={size}
        wide={wide}
        disabled={isBusy}
        busy={ask.isPending}
        busyLabel="Starting..."
        onClick={() =>
          ask.mutate({ kind: 'attack' }, { onSuccess: () => openTab('attack'), onError: sayNotStarted })
        }
      >
        Attack this strategy
      </Button>
    );
  return result.data ? <DeployLink draft={draft} strategy={result.data} {...{ size, wide }} /> : null;
}

function sayNotStarted(error: unknown): void {
  showToast({ title: 'It was not started', message: sentenceOf(error, 'Please try again.'), type: 'error' });
}

/** What runs now, or the next step; beneath it everything that can be done with the draft, and how far it is. */
export function NextSteps({ state }: { state: DraftState }) {
  const { draft, running, isTested, ledger } = state;
  const attack = useAttack(draft, ledger, isTested).data?.attack ?? null;
  const result = useDraftResult(draft, ledger, isTested).data;
  const practice = result?.practice_first_note !== null;
  const steps: readonly (readonly [DraftTab, string, string])[] = [
    ['rules', 'Change the rules', `Version ${draft.version}`],
    ...(draft.version > 1
      ? ([['versions', 'See what changed', `Since version ${draft.version - 1}`]] as const)
      : []),
    [
      'sweep',
      'Try other numbers',
      result ? showCounted(result.evidence.family.counted, 'try', 'tries') : 'Not yet',
    ],
    ['attack', 'Try to break it', attack?.word ?? 'Not yet'],
    ['deploy', 'Practise and deploy', deployWord({ isTested, isTraded: draft.is_traded, practice })],
  ];
  return (
    <section aria-label="What to do next">
      <div className="grid min-h-28 content-center max-sm:min-h-0">
        {running ? (
          <JobProgress key={running.id} job={running} />
        ) : (
          <div className="max-sm:hidden">
            <NextStep state={state} wide />
          </div>
        )}
      </div>
      <ul className="mt-3 border-t">
        {steps.map(([tab, label, word]) => (
          <StepRow key={tab} tab={tab} label={label} word={word} />
        ))}
      </ul>
    </section>
  );
}

function StepRow({ tab, label, word }: { tab: DraftTab; label: string; word: string }) {
  const [, openTab] = useDraftTab();
  return (
    <li className="border-b">
      <button
        type="button"
        className="flex w-full items-baseline justify-between gap-4 py-2 text-left text-sm hover:text-accent"
        onClick={() => openTab(tab, 'in sight')}
      >
        <span className="text-accent">{label}</span>
        <span className="figures text-ink-faint">{word}</span>
      </button>
    </li>
  );
}

function deployWord({
  isTested,
  isTraded,
  practice,
}: Record<'isTested' | 'isTraded' | 'practice', boolean>): string {
  if (isTraded) return practice ? 'Practising' : 'Trading';
  return isTested && !practice ? 'Ready' : 'Not yet';
}

/** On a phone the next step stays under the thumb, above the bar of the shell. */
export function NextStepBar({ state }: { state: DraftState }) {
  return (
    <div className="fixed inset-x-0 bottom-(--bottom-bar,0px) z-10 border-t bg-ground/95 px-4 py-2 backdrop-blur-sm empty:hidden sm:hidden print:hidden">
      <NextStep state={state} wide />
    </div>
  );
}
