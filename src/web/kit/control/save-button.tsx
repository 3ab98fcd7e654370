import { Download } from 'lucide-react';
import { useState } from 'react';
import { showToast } from '../overlay/toast.ts';
import { Button } from './button.tsx';

/** Saves a file; says so when that fails, and that nothing else has. */
export function SaveButton({
  save,
  small = false,
  label,
  children,
}: {
  save: () => Promise<void>;
  small?: boolean;
  /** What a short text stands for. */
  label?: string;
  children: string;
}) {
  const [busy, setBusy] = useState(false);
  const onClick = async () => {
    setBusy(true);
    try {
      await save();
    } catch {
      showToast({
        type: 'error',
        title: 'The file could not be saved',
        message: 'Nothing has changed. Please try again.',
      });
    }
    setBusy(false);
  };
  return (
    <Button
      variant="secondary"
      {...(small && { size: 'small' as const })}
      icon={<Download className="size-4" aria-hidden="true" />}
      busy={busy}
      busyLabel="Loading..."
      {...(label !== undefined && { 'aria-label': label })}
      onClick={() => void onClick()}
    >
      {children}
    </Button>
  );
}
