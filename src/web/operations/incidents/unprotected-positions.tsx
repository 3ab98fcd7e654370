import { useState } from 'react';
import type { UnprotectedPosition } from '#contract/operations/incident-subjects.ts';
import type { OperationsDesk } from '#contract/operations/operations.ts';
import { Field } from '../../kit/control/field.tsx';
import { TextInput } from '../../kit/control/text-input.tsx';
import { showDate, showQuantity } from '../../kit/figure/show-figure.ts';
import { Facts } from '../facts.tsx';
import { WaitingList } from '../waiting-list.tsx';
import { usePropose } from '../proposals/proposal-queries.ts';
import { useRetryStop } from './incident-queries.ts';
import { ProposeDialog } from '../proposals/propose-dialog.tsx';
import { SubjectRow } from './subject-row.tsx';

/** Positions whose protective stop is not at the broker. */
export function UnprotectedPositions({ desk }: { desk: OperationsDesk }) {
  return (
    <WaitingList
      id="unprotected"
      title="Positions without their stop"
      note="Only our own stop loss watches them, while we can trade. Owners see it in any case."
      none="Every stop is at its broker."
      list={desk.unprotected}
    >
      {desk.unprotected.results.map((position) => (
        <PositionRow key={`${position.account} ${position.subject}`} position={position} />
      ))}
    </WaitingList>
  );
}

function PositionRow({ position }: { position: UnprotectedPosition }) {
  const { account, broker_name: broker, client, strategy_name: strategy, symbol, proposal } = position;
  const about = `${showQuantity(position.quantity)} ${symbol} in ${account}`;
  const until = showDate(proposal?.until ?? null);
  const [open, setOpen] = useState<string | null>(null);
  const dialog = { position, about, onClose: () => setOpen(null) };
  const canRetry = position.retry_refusal === null;
  return (
    <SubjectRow
      about={about}
      below={`${broker}, ${client}, ${strategy}`}
      proposal={proposal}
      open={open}
      onOpen={setOpen}
      approval={{
        does: `to acknowledge it until ${until}`,
        title: `Acknowledge until ${until}?`,
        effect: 'The incident ends. It opens again on that day, or when the position or the reason changes.',
      }}
      actions={[
        canRetry ? { label: 'Try again now', dialog: <RetryDialog {...dialog} /> } : null,
        proposal === null ? { label: 'Acknowledge', dialog: <AcknowledgeDialog {...dialog} /> } : null,
      ]}
    >
      <p className="max-w-[68ch] text-sm text-ink-soft">
        {position.cause}
        {!canRetry && ` ${position.retry_refusal}`}
      </p>
      <Facts
        facts={[
          [canRetry ? 'Refused in a row' : 'Not sent', `${position.refusals} times`],
          ...(proposal?.status === 'approved' ? [['Acknowledged until', until] as const] : []),
        ]}
      />
    </SubjectRow>
  );
}

type DialogProps = { position: UnprotectedPosition; about: string; onClose: () => void };

function RetryDialog({ position: { account, subject, seen }, about, onClose }: DialogProps) {
  const retry = useRetryStop();
  return (
    <ProposeDialog
      title={`Try the stop again: ${about}`}
      description="The wait after the last refusal ends, and the stop is sent at the next look. If the broker refuses it again, the waits continue."
      action="Try again now"
      placeholder="the broker says that it takes stops again"
      mutation={retry}
      onConfirm={(reason) => retry.mutate({ account, subject, seen, reason }, { onSuccess: onClose })}
      onClose={onClose}
    />
  );
}

function AcknowledgeDialog({ position: { account, subject, seen }, about, onClose }: DialogProps) {
  const propose = usePropose();
  const [until, setUntil] = useState('');
  return (
    <ProposeDialog
      title={`Acknowledge: ${about}`}
      description="The position may stay without its stop until then. Nothing changes until a second person approves."
      action="Propose"
      placeholder="the client knows that this broker takes no stops for it"
      mutation={propose}
      isReady={until !== ''}
      onConfirm={(reason) =>
        propose.mutate(
          { action: 'acknowledge', account, subject, seen, reason, until },
          { onSuccess: onClose },
        )
      }
      onClose={onClose}
    >
      <Field label="Until" hint="At most 31 days. It opens again when that day begins, in UTC.">
        {(wiring) => (
          <TextInput
            {...wiring}
            type="date"
            value={until}
            onChange={(event) => setUntil(event.target.value)}
          />
        )}
      </Field>
    </ProposeDialog>
  );
}
