import type { ReactNode } from 'react';
import { Button } from '../control/button.tsx';
import { Dialog } from './dialog.tsx';

/** Asks before something is done: what it does, the way back first, the way on last. */
export function ConfirmDialog({
  title,
  description,
  keep,
  action,
  variant = 'danger',
  busy,
  busyLabel,
  disabled,
  onConfirm,
  onClose,
  children,
}: {
  title: string;
  description: ReactNode;
  /** On the button that goes back: 'Keep it'. */
  keep: string;
  /** The label of the confirm button: 'Sell and stop'. */
  action: string;
  variant?: 'danger' | 'primary';
  busy: boolean;
  busyLabel: string;
  disabled?: boolean;
  onConfirm: () => void;
  onClose: () => void;
  children?: ReactNode;
}) {
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={title}
      description={description}
      footer={
        <>
          <Button variant="secondary" onClick={onClose}>
            {keep}
          </Button>
          <Button variant={variant} busy={busy} busyLabel={busyLabel} disabled={disabled} onClick={onConfirm}>
            {action}
          </Button>
        </>
      }
    >
      {children}
    </Dialog>
  );
}
