import type { KeyActView } from '#contract/api-keys.ts';
import { sentenceOf } from '../call/call-error.ts';
import { Button } from '../kit/control/button.tsx';
import { showDateTime } from '../kit/figure/show-figure.ts';
import { Badge } from '../kit/state/badge.tsx';
import { ErrorState } from '../kit/state/error-state.tsx';
import { Notice } from '../kit/state/notice.tsx';
import { useDecideAct, useKeyActs } from './api-key-queries.ts';

const SHOWN = 10;

/** What waits for the person first, then what keys did lately. */
export function KeyActs() {
  const acts = useKeyActs();
  if (acts.isError)
    return <ErrorState title="What your keys did could not be loaded" onRetry={() => void acts.refetch()} />;
  const all = acts.data ?? [];
  const waiting = all.filter(({ status }) => status === 'waiting');
  const past = all.filter(({ status }) => status !== 'waiting').slice(0, SHOWN);
  return (
    <>
      {waiting.length > 0 && (
        <ul aria-label="Waiting for your decision" className="grid gap-3">
          {waiting.map((act) => (
            <WaitingAct key={act.id} act={act} />
          ))}
        </ul>
      )}
      {past.length > 0 && (
        <details className="text-sm">
          <summary className="cursor-pointer text-ink-soft">What your keys did lately</summary>
          <ul className="mt-2">
            {past.map((act) => (
              <PastAct key={act.id} act={act} />
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

function WaitingAct({ act }: { act: KeyActView }) {
  const decide = useDecideAct(act.id);
  const busy = (verdict: 'accept' | 'decline') => decide.isPending && decide.variables === verdict;
  return (
    <li className="grid gap-3 rounded-surface border p-5">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Badge tone="caution">Waits for you</Badge>
        <span className="text-sm text-ink-soft wrap-anywhere">{act.key_name} asks</span>
      </p>
      <p className="font-medium wrap-anywhere">{act.text}</p>
      <p className="text-sm text-ink-faint">
        Asked {showDateTime(act.requested_at)}.{' '}
        {act.expires_at !== null && `Ends by itself ${showDateTime(act.expires_at)}.`} Every check is made
        when you accept.
      </p>
      {decide.error && (
        <Notice tone="failure">
          {sentenceOf(decide.error, 'Your decision was not taken. Please try again.')}
        </Notice>
      )}
      <div className="flex flex-wrap gap-3">
        <Button
          variant="secondary"
          busy={busy('decline')}
          busyLabel="Declining..."
          disabled={decide.isPending}
          onClick={() => decide.mutate('decline')}
        >
          Decline
        </Button>
        <Button
          busy={busy('accept')}
          busyLabel="Carrying out..."
          disabled={decide.isPending}
          onClick={() => decide.mutate('accept')}
        >
          Accept
        </Button>
      </div>
    </li>
  );
}

function PastAct({ act }: { act: KeyActView }) {
  return (
    <li className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1 border-b py-3 last:border-0">
      <span className="min-w-40 flex-1 wrap-anywhere">
        {act.text}
        {act.outcome !== null && <span className="text-ink-faint"> {act.outcome}</span>}
      </span>
      <span className="text-ink-faint">
        {STATUS_WORDS[act.status]}, {act.key_name}, {showDateTime(act.requested_at)}
      </span>
    </li>
  );
}

const STATUS_WORDS: Readonly<Record<KeyActView['status'], string>> = {
  running: 'Running',
  done: 'Done',
  refused: 'Refused',
  waiting: 'Waiting',
  declined: 'You declined it',
  expired: 'Nobody decided in time',
  withdrawn: 'Withdrawn with its key',
};
