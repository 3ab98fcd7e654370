import { type ReactNode, useState } from 'react';
import { ConfirmDialog } from '../../kit/overlay/confirm-dialog.tsx';
import { NotDecided } from '../not-decided.tsx';
import { hasReason, ReasonField } from '../reason-field.tsx';

/** Asks for a reason, and for what `children` ask. */
export function ProposeDialog({
  title,
  description,
  action,
  label = 'Why',
  placeholder,
  mutation,
  isReady = true,
  onConfirm,
  onClose,
  children,
}: {
  title: string;
  description: string;
  action: string;
  /** What the text is called. */
  label?: string;
  placeholder: string;
  mutation: { readonly isPending: boolean; readonly error: Error | null };
  /** Whether `children` have all that they ask for. */
  isReady?: boolean;
  onConfirm: (reason: string) => void;
  onClose: () => void;
  children?: ReactNode;
}) {
  const [reason, setReason] = useState('');
  return (
    <ConfirmDialog
      onClose={onClose}
      title={title}
      description={description}
      keep="Not yet"
      action={action}
      busy={mutation.isPending}
      busyLabel="Saving..."
      disabled={!isReady || !hasReason(reason)}
      variant="primary"
      onConfirm={() => onConfirm(reason)}
    >
      <div className="grid gap-5">
        {children}
        <ReasonField
          label={label}
          hint="Recorded at the operations desk and in the audit log."
          placeholder={placeholder}
          value={reason}
          onChange={setReason}
        />
        {mutation.error && <NotDecided error={mutation.error} />}
      </div>
    </ConfirmDialog>
  );
}
