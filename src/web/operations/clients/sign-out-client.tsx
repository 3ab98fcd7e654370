import { useMutation } from '@tanstack/react-query';
import { LogOut } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../call/call.ts';
import { sentenceOf } from '../../call/call-error.ts';
import { Button } from '../../kit/control/button.tsx';
import { ConfirmDialog } from '../../kit/overlay/confirm-dialog.tsx';
import { showToast } from '../../kit/overlay/toast.ts';
import { Notice } from '../../kit/state/notice.tsx';

/** For somebody whose device or password is in other hands. */
export function SignOutClient({ id, email }: { id: string; email: string }) {
  const [asks, setAsks] = useState(false);
  const end = useMutation({
    mutationFn: () => call('endClientSessions', { params: { id } }),
    onSuccess: () => {
      setAsks(false);
      showToast({ type: 'success', title: 'Signed out everywhere', message: email });
    },
  });
  return (
    <>
      <Button
        variant="secondary"
        icon={<LogOut className="size-4" aria-hidden="true" />}
        onClick={() => setAsks(true)}
      >
        Sign out everywhere
      </Button>
      {asks && (
        <ConfirmDialog
          title={`Sign out ${email}?`}
          description="Every session of this client ends within a second. They sign in again as before; trading goes on."
          keep="Back"
          action="Sign out everywhere"
          busy={end.isPending}
          busyLabel="Signing out..."
          onConfirm={() => end.mutate()}
          onClose={() => setAsks(false)}
        >
          {end.error && (
            <Notice tone="failure">
              {sentenceOf(end.error, 'Nobody was signed out. Please try again.')}
            </Notice>
          )}
        </ConfirmDialog>
      )}
    </>
  );
}
