import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import type { Leaving } from '#contract/leaving.ts';
import { call } from '../call/call.ts';
import { openFile } from '../call/open-file.ts';
import { CallError, sentenceOf } from '../call/call-error.ts';
import { useSession, useUser } from '../call/session.tsx';
import { Button } from '../kit/control/button.tsx';
import { Field } from '../kit/control/field.tsx';
import { TextInput } from '../kit/control/text-input.tsx';
import { DataTable } from '../kit/figure/data-table.tsx';
import { showDate } from '../kit/figure/show-figure.ts';
import { ConfirmDialog } from '../kit/overlay/confirm-dialog.tsx';
import { showToast } from '../kit/overlay/toast.ts';
import { SectionTitle } from '../kit/page/section-title.tsx';
import { ErrorState } from '../kit/state/error-state.tsx';
import { Notice } from '../kit/state/notice.tsx';
import { Skeleton } from '../kit/state/skeleton.tsx';

/** All of a person's data as a file, and the way out. */
export function YourData() {
  return (
    <div className="grid max-w-2xl gap-12">
      <Export />
      <Closing />
    </div>
  );
}

function Export() {
  const download = useMutation({
    mutationFn: () => openFile('downloadExport'),
    onError: (error) =>
      showToast({
        title: 'Your data was not exported',
        message: sentenceOf(error, 'Please try again.'),
        type: 'error',
      }),
  });
  return (
    <section aria-labelledby="export" className="grid gap-4">
      <SectionTitle id="export">Download your data</SectionTitle>
      <p className="text-ink-soft">
        One zip file with everything that we record of you, as JSON and as CSV, and your signed agreements as
        PDF. Passwords and broker credentials are not in it.
      </p>
      <div>
        <Button
          variant="secondary"
          busy={download.isPending}
          busyLabel="Preparing..."
          onClick={() => download.mutate()}
        >
          Download my data
        </Button>
      </div>
    </section>
  );
}

function Closing() {
  const leaving = useQuery({
    queryKey: ['leaving'],
    queryFn: ({ signal }) => call('getLeaving', { signal }),
  });
  return (
    <section aria-labelledby="closing" className="grid gap-4">
      <SectionTitle id="closing">Close your account</SectionTitle>
      {leaving.isPending && <Skeleton className="h-64" />}
      {leaving.isError && (
        <ErrorState
          title="What closing would do could not be loaded"
          onRetry={() => void leaving.refetch()}
        />
      )}
      {leaving.data !== undefined && <Consequences leaving={leaving.data} />}
    </section>
  );
}

function Consequences({ leaving }: { leaving: Leaving }) {
  const [asking, setAsking] = useState(false);
  const { refusals, classes, kept_until: until, rule_version: version } = leaving;
  return (
    <>
      <p className="text-ink-soft">
        You are signed out everywhere, nothing is sold, and your money stays at your broker. What the law
        makes us keep is locked until {showDate(until)}; everything else is erased at once. Nobody can undo
        it.
      </p>
      <DataTable
        caption={`What happens to your data, by the rules of ${version}`}
        rows={classes}
        rowKey={({ name }) => name}
        columns={COLUMNS}
      />
      {refusals.length > 0 ? (
        <Notice tone="caution" title="Your account cannot be closed yet">
          <ul className="grid gap-1.5">
            {refusals.map((refusal) => (
              <li key={refusal}>{refusal}</li>
            ))}
          </ul>
        </Notice>
      ) : (
        <div>
          <Button variant="danger" onClick={() => setAsking(true)}>
            Close my account
          </Button>
        </div>
      )}
      {asking && <CloseDialog until={until} onClose={() => setAsking(false)} />}
    </>
  );
}

const COLUMNS = [
  {
    key: 'name',
    header: 'Data',
    cell: ({ name, holds }: Leaving['classes'][number]) => (
      <>
        <span className="block">{name}</span>
        <span className="block text-sm whitespace-normal text-ink-faint">{holds}</span>
      </>
    ),
  },
  {
    key: 'kept',
    header: 'After closing',
    cell: ({ kept_years: years }: Leaving['classes'][number]) =>
      years === null ? 'Erased at once' : `Locked for ${years} years`,
  },
] as const;

function CloseDialog({ until, onClose }: { until: string; onClose: () => void }) {
  const user = useUser();
  const { signOut } = useSession();
  const navigate = useNavigate();
  const [email, setEmail] = useState('');
  const close = useMutation({
    mutationFn: () => call('closeAccount', { body: { email } }),
    onSuccess: async () => {
      await navigate('/', { replace: true });
      await signOut();
      showToast({ type: 'success', title: 'Your account is closed' });
    },
  });
  const isOfField = close.error instanceof CallError && close.error.field === 'email';
  const sentence = close.isError
    ? sentenceOf(close.error, 'Your account was not closed. Please try again.')
    : null;
  return (
    <ConfirmDialog
      title="Close your account for good?"
      description={`You are signed out everywhere. What the law keeps is locked until ${showDate(until)}, and everything else is erased. Download your data first if you want to keep it.`}
      keep="Keep my account"
      action="Close my account"
      busy={close.isPending}
      busyLabel="Closing..."
      disabled={email.trim().toLowerCase() !== user.email}
      onConfirm={() => close.mutate()}
      onClose={onClose}
    >
      <div className="grid gap-4">
        {sentence !== null && !isOfField && <Notice tone="failure">{sentence}</Notice>}
        <Field
          label="Your e-mail"
          hint={`Enter ${user.email} to confirm.`}
          error={isOfField ? sentence : null}
        >
          {(wiring) => (
            <TextInput
              {...wiring}
              type="email"
              autoComplete="off"
              value={email}
              onChange={(event) => setEmail(event.target.value)}
            />
          )}
        </Field>
      </div>
    </ConfirmDialog>
  );
}
