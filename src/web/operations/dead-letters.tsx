import { useState } from 'react';
import type { DeadLetter } from '#contract/operations/dead-letter.ts';
import type { OperationsDesk } from '#contract/operations/operations.ts';
import { JOB_LABELS } from '#rules/operations/dead-letter.ts';
import { Button } from '../kit/control/button.tsx';
import { ConfirmDialog } from '../kit/overlay/confirm-dialog.tsx';
import { showDateTime } from '../kit/figure/show-figure.ts';
import { Facts } from './facts.tsx';
import { NotDecided } from './not-decided.tsx';
import { useDecideDeadLetter } from './operations-queries.ts';
import { Wait } from './wait.tsx';
import { WaitingList } from './waiting-list.tsx';

/** Background jobs that failed for good. */
export function DeadLetters({ desk }: { desk: OperationsDesk }) {
  return (
    <WaitingList
      id="dead-letters"
      title="Failed jobs"
      note="Background jobs that failed on their last attempt. Retry runs the job again. Discard removes it; work that is still due is queued again later."
      none="No failed jobs."
      list={desk.dead_letters}
    >
      {desk.dead_letters.results.map((letter) => (
        <LetterRow key={letter.id} letter={letter} asOf={desk.as_of} />
      ))}
    </WaitingList>
  );
}

function LetterRow({ letter, asOf }: { letter: DeadLetter; asOf: string }) {
  const [discards, setDiscards] = useState(false);
  const decide = useDecideDeadLetter(letter.id);
  const { client, reason, detail } = letter;
  const title = titleOf(letter);
  const about = client === null ? title : `${title}, ${client}`;
  return (
    <li className="grid gap-4 border-b py-5 last:border-0">
      <div className="flex flex-wrap items-start justify-between gap-4">
        <div className="min-w-0 flex-1 basis-72">
          <h3 className="font-medium">{title}</h3>
          {client !== null && <p className="text-sm wrap-anywhere text-ink-faint">{client}</p>}
          <p className="mt-1 text-caution">{reason}</p>
          {detail !== null && <p className="mt-1 text-sm wrap-anywhere text-ink-soft">{detail}</p>}
        </div>
        <div className="flex flex-wrap gap-3">
          <Button
            variant="secondary"
            size="small"
            aria-label={`Discard: ${about}`}
            onClick={() => setDiscards(true)}
          >
            Discard
          </Button>
          <Button
            variant="secondary"
            size="small"
            busy={decide.isPending && !discards}
            busyLabel="Retrying..."
            aria-label={`Retry: ${about}`}
            onClick={() => decide.mutate('retry')}
          >
            Retry
          </Button>
        </div>
      </div>
      <Facts
        facts={[
          ['Waiting for', <Wait key="failed" since={letter.failed_at} until={asOf} />],
          ['Attempts', String(letter.attempts)],
          ['First sent', showDateTime(letter.sent_at)],
        ]}
      />
      {decide.isError && !discards && <NotDecided error={decide.error} />}
      {discards && (
        <DiscardDialog
          about={about}
          decide={decide}
          onClose={() => {
            decide.reset();
            setDiscards(false);
          }}
        />
      )}
    </li>
  );
}

function titleOf({ kind, subject }: DeadLetter): string {
  return subject === null ? JOB_LABELS[kind] : `${JOB_LABELS[kind]}: ${subject}`;
}

type DiscardProps = {
  about: string;
  decide: ReturnType<typeof useDecideDeadLetter>;
  onClose: () => void;
};

function DiscardDialog({ about, decide, onClose }: DiscardProps) {
  return (
    <ConfirmDialog
      onClose={onClose}
      title="Discard this job?"
      description={`${about}. It does not run again. This cannot be undone.`}
      keep="Keep it"
      action="Discard"
      busy={decide.isPending}
      busyLabel="Discarding..."
      onConfirm={() => decide.mutate('discard', { onSuccess: onClose })}
    >
      {decide.isError && <NotDecided error={decide.error} />}
    </ConfirmDialog>
  );
}
