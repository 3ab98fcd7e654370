import { useState } from 'react';
import type { AdjustmentChoices } from '#contract/operations/adjustments.ts';
import { sentenceOf } from '../../call/call-error.ts';
import { ConfirmDialog } from '../../kit/overlay/confirm-dialog.tsx';
import { Dialog } from '../../kit/overlay/dialog.tsx';
import { LoadingText } from '../../kit/state/loading-text.tsx';
import { Notice } from '../../kit/state/notice.tsx';
import { SegmentedControl } from '../../kit/control/segmented-control.tsx';
import {
  AdjustmentFields,
  type AdjustmentDraft,
  firstDraft,
  isComplete,
  sentOf,
} from './adjustment-fields.tsx';
import { type Occasion, useAdjustmentChoices, useProposeAdjustment } from './adjustment-queries.ts';
import { hasReason, ReasonField } from '../reason-field.tsx';

/** How to close a difference or a held execution. Nothing changes until a second person approves it. */
export function ProposeDialog({
  occasion,
  about,
  onClose,
}: {
  occasion: Occasion;
  /** What is closed: 'AAA in DU1000001'. */
  about: string;
  onClose: () => void;
}) {
  const choices = useAdjustmentChoices(occasion);
  return choices.data === undefined ? (
    <Dialog open onOpenChange={(open) => !open && onClose()} title={`Close ${about}`}>
      {choices.isError ? (
        <Notice tone="failure" title="This cannot be resolved now">
          {sentenceOf(choices.error, 'Please try again.')}
        </Notice>
      ) : (
        <LoadingText>Reading the books...</LoadingText>
      )}
    </Dialog>
  ) : (
    <Form occasion={occasion} about={about} choices={choices.data} onClose={onClose} />
  );
}

type Way = 'adjustment' | 'external';

function Form({
  occasion,
  about,
  choices,
  onClose,
}: {
  occasion: Occasion;
  about: string;
  choices: AdjustmentChoices;
  onClose: () => void;
}) {
  const canCorrect = choices.currency !== null && choices.deployments.length > 0;
  const [way, setWay] = useState<Way>(canCorrect ? 'adjustment' : 'external');
  const [draft, setDraft] = useState<AdjustmentDraft>(() => firstDraft(choices));
  const [reason, setReason] = useState('');
  const propose = useProposeAdjustment();
  const refusal = way === 'external' ? choices.external_refusal : canCorrect ? null : NO_DEPLOYMENT;
  const isReady = refusal === null && hasReason(reason) && (way === 'external' || isComplete(draft));
  const send = () =>
    propose.mutate(
      way === 'external'
        ? { closes_as: way, answers: occasion, reason }
        : { closes_as: way, answers: occasion, ...sentOf(draft), reason },
      { onSuccess: onClose },
    );
  return (
    <ConfirmDialog
      onClose={onClose}
      title={`Close ${about}`}
      description="Nothing changes until a second member of support approves. No order is ever sent for it."
      keep="Leave it open"
      action="Propose"
      variant="primary"
      busy={propose.isPending}
      busyLabel="Proposing..."
      disabled={!isReady}
      onConfirm={send}
    >
      <div className="grid gap-5">
        <WayControl value={way} onChange={setWay} />
        {refusal !== null ? (
          <Notice tone="caution">{refusal}</Notice>
        ) : way === 'external' ? (
          <p className="text-sm text-ink-soft">{BOOKED_IN_SUSPENSE}</p>
        ) : (
          <AdjustmentFields choices={choices} draft={draft} onChange={setDraft} />
        )}
        <ReasonField
          label="Why"
          hint={way === 'external' ? 'Recorded in the audit log.' : 'The owner sees it after “Reason:”.'}
          placeholder={
            way === 'external' ? 'the owner transferred them in' : 'the exchange cancelled the trade'
          }
          value={reason}
          onChange={setReason}
        />
        {propose.isError && (
          <Notice tone="failure" title="The proposal was not saved">
            {sentenceOf(propose.error, 'Please try again.')}
          </Notice>
        )}
      </div>
    </ConfirmDialog>
  );
}

function WayControl({ value, onChange }: { value: Way; onChange: (way: Way) => void }) {
  return (
    <div className="-mx-1 overflow-x-auto px-1">
      <SegmentedControl
        label="How to resolve it"
        value={value}
        onChange={onChange}
        options={[
          { value: 'adjustment', label: 'Adjust our books' },
          { value: 'external', label: 'Book as external' },
        ]}
      />
    </div>
  );
}

const NO_DEPLOYMENT = 'No active deployment can hold it. It can only be booked as external.';
const BOOKED_IN_SUSPENSE =
  'It becomes an external holding of the owner. No deployment’s position or cash changes, and we never sell it.';
