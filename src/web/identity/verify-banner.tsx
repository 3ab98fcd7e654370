import { useMutation } from '@tanstack/react-query';
import { MailCheck } from 'lucide-react';
import { call } from '../call/call.ts';
import { sentenceOf } from '../call/call-error.ts';
import { useSession } from '../call/session.tsx';
import { Button } from '../kit/control/button.tsx';

/** Over every page of somebody whose address is not verified. */
export function VerifyBanner() {
  const { user } = useSession();
  return user === null || user.is_email_verified ? null : <Banner email={user.email} />;
}

function Banner({ email }: { email: string }) {
  const send = useMutation({ mutationFn: () => call('sendVerification') });
  return (
    <section aria-label="E-mail address" className="border-b bg-surface">
      <div className="page flex flex-wrap items-center justify-between gap-x-6 gap-y-2 py-3">
        <p aria-live="polite" className="flex min-w-0 items-start gap-3 text-sm text-ink-soft">
          <MailCheck className="mt-0.5 size-4 shrink-0 text-ink-faint" aria-hidden="true" />
          <span className="wrap-anywhere">
            {send.isSuccess
              ? `A new link is on its way to ${email}.`
              : send.isError
                ? sentenceOf(send.error, 'The link was not sent. Please try again.')
                : `Open the link that we sent to ${email}. Until then we mail you no notices and reports.`}
          </span>
        </p>
        {!send.isSuccess && (
          <Button
            variant="secondary"
            size="small"
            busy={send.isPending}
            busyLabel="Sending..."
            onClick={() => send.mutate()}
          >
            Send the link again
          </Button>
        )}
      </div>
    </section>
  );
}
