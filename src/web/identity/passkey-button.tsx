import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../kit/control/button.tsx';
import { Notice } from '../kit/state/notice.tsx';
import { passkeyProblem } from './ask-passkey.ts';

/** Asks the browser for a passkey; `act` does all of it. */
export function PasskeyButton({ act, wide }: { act: () => Promise<void>; wide?: boolean }) {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const press = async () => {
    setProblem(null);
    setBusy(true);
    try {
      await act();
    } catch (error) {
      setProblem(passkeyProblem(error));
    }
    setBusy(false);
  };
  return (
    <div className="grid gap-4">
      {problem && <Notice tone="failure">{problem}</Notice>}
      <div className={wide ? 'grid' : undefined}>
        <Button
          size={wide ? 'large' : 'medium'}
          wide={wide ?? false}
          busy={busy}
          busyLabel="Waiting for your device..."
          icon={<KeyRound className="size-4" aria-hidden="true" />}
          onClick={() => void press()}
        >
          Use your passkey
        </Button>
      </div>
    </div>
  );
}
