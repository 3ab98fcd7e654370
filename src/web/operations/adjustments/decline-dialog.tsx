import { useState } from 'react';
import { ConfirmDialog } from '../../kit/overlay/confirm-dialog.tsx';
import { NotDecided } from '../not-decided.tsx';
import { hasReason, ReasonField } from '../reason-field.tsx';

/** Declines a request with a reason. */
export function DeclineDialog({
  title,
  description,
  verb = 'Decline',
  reasonHint,
  reasonPlaceholder,
  decision: { isPending, error },
  onDecline,
  onClose,
}: {
  title: string;
  description: string;
  verb?: string;
  reasonHint: string;
  reasonPlaceholder: string;
  decision: { readonly isPending: boolean; readonly error: Error | null };
  onDecline: (reason: string) => void;
  onClose: () => void;
}) {
  const [reason, setReason] = useState('');
  return (
    <ConfirmDialog
      onClose={onClose}
      title={title}
      description={description}
      keep="Not yet"
      action={verb}
      busy={isPending}
      busyLabel="Declining..."
      disabled={!hasReason(reason)}
      onConfirm={() => onDecline(reason)}
      variant="primary"
    >
      <div className="grid gap-5">
        <ReasonField
          label="Why"
          hint={reasonHint}
          placeholder={reasonPlaceholder}
          value={reason}
          onChange={setReason}
        />
        {error && <NotDecided error={error} />}
      </div>
    </ConfirmDialog>
  );
}
