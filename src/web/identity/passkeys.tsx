import { KeyRound } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import type { Passkey } from '#contract/passkeys.ts';
import { describeBrowser } from '#rules/identity/describe-browser.ts';
import { sentenceOf } from '../call/call-error.ts';
import { Button } from '../kit/control/button.tsx';
import { Field } from '../kit/control/field.tsx';
import { TextInput } from '../kit/control/text-input.tsx';
import { showDate, showDateTime } from '../kit/figure/show-figure.ts';
import { ConfirmDialog } from '../kit/overlay/confirm-dialog.tsx';
import { Dialog } from '../kit/overlay/dialog.tsx';
import { Notice } from '../kit/state/notice.tsx';
import { passkeyProblem } from './ask-passkey.ts';
import { useAddPasskey, useRemovePasskey, useRenamePasskey } from './passkey-queries.ts';
import { SecurityRow } from './security-row.tsx';

type Open = 'rename' | 'remove' | null;

export function PasskeyRow({ passkey, isLast }: { passkey: Passkey; isLast: boolean }) {
  const [open, setOpen] = useState<Open>(null);
  const { name, created_at: addedAt, last_used_at: usedAt, is_synced: isSynced } = passkey;
  return (
    <SecurityRow
      icon={KeyRound}
      title={name}
      state={
        <>
          {usedAt === null ? `Added ${showDate(addedAt)}, not used yet` : `Last used ${showDateTime(usedAt)}`}
          {isSynced && ', kept by your password manager'}
        </>
      }
    >
      <Button
        variant="secondary"
        size="small"
        aria-label={`Rename ${name}`}
        onClick={() => setOpen('rename')}
      >
        Rename
      </Button>
      <Button
        variant="secondary"
        size="small"
        aria-label={`Remove ${name}`}
        onClick={() => setOpen('remove')}
      >
        Remove
      </Button>
      {open === 'rename' && <RenameDialog passkey={passkey} onClose={() => setOpen(null)} />}
      {open === 'remove' && <RemoveDialog passkey={passkey} isLast={isLast} onClose={() => setOpen(null)} />}
    </SecurityRow>
  );
}

/** A browser keeps passkeys for a name with https: elsewhere the way out is said. */
export function AddPasskey({
  isTaken,
  onAdded,
}: {
  isTaken: boolean;
  onAdded: (backupCodes: readonly string[] | null) => void;
}) {
  const [asks, setAsks] = useState(false);
  if (!isTaken || !('PublicKeyCredential' in globalThis))
    return (
      <p className="text-sm text-ink-soft">
        {isTaken
          ? 'This browser keeps no passkeys. Use an authenticator app, or add one from another browser.'
          : 'Browsers keep passkeys only for an address with a name and https. Here, use an authenticator app.'}
      </p>
    );
  return (
    <div>
      <Button
        variant="secondary"
        icon={<KeyRound className="size-4" aria-hidden="true" />}
        onClick={() => setAsks(true)}
      >
        Add a passkey
      </Button>
      {asks && (
        <AddDialog
          onClose={() => setAsks(false)}
          onAdded={(codes) => {
            setAsks(false);
            onAdded(codes);
          }}
        />
      )}
    </div>
  );
}

function AddDialog({
  onAdded,
  onClose,
}: {
  onAdded: (backupCodes: readonly string[] | null) => void;
  onClose: () => void;
}) {
  const add = useAddPasskey();
  return (
    <NameDialog
      title="Add a passkey"
      description="Your browser asks where to keep it: on this device, on your phone, or on a security key."
      name={describeBrowser(navigator.userAgent)}
      action="Continue"
      busyLabel="Waiting for your device..."
      busy={add.isPending}
      problem={add.error && passkeyProblem(add.error)}
      onName={(name) => add.mutate(name, { onSuccess: onAdded })}
      onClose={onClose}
    />
  );
}

function RenameDialog({ passkey, onClose }: { passkey: Passkey; onClose: () => void }) {
  const rename = useRenamePasskey(passkey.id);
  return (
    <NameDialog
      title={`Rename ${passkey.name}`}
      description="The name helps you to tell your passkeys apart."
      name={passkey.name}
      action="Save"
      busyLabel="Saving..."
      busy={rename.isPending}
      problem={rename.error && sentenceOf(rename.error, 'The name was not saved. Please try again.')}
      onName={(name) => rename.mutate(name, { onSuccess: onClose })}
      onClose={onClose}
    />
  );
}

function NameDialog({
  title,
  description,
  name: given,
  action,
  busyLabel,
  busy,
  problem,
  onName,
  onClose,
}: {
  title: string;
  description: string;
  name: string;
  action: string;
  busyLabel: string;
  busy: boolean;
  problem: string | null;
  onName: (name: string) => void;
  onClose: () => void;
}) {
  const [name, setName] = useState(given);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onName(name);
  };
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title={title} description={description}>
      <form className="grid gap-5" onSubmit={submit}>
        {problem && <Notice tone="failure">{problem}</Notice>}
        <Field label="Name" hint="Such as the device that keeps it.">
          {(wiring) => (
            <TextInput
              {...wiring}
              value={name}
              maxLength={60}
              autoComplete="off"
              onChange={(event) => setName(event.target.value)}
            />
          )}
        </Field>
        <div className="mt-3 flex flex-wrap justify-end gap-3">
          <Button variant="secondary" onClick={onClose}>
            Back
          </Button>
          <Button type="submit" busy={busy} busyLabel={busyLabel} disabled={name.trim() === ''}>
            {action}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function RemoveDialog({
  passkey,
  isLast,
  onClose,
}: {
  passkey: Passkey;
  isLast: boolean;
  onClose: () => void;
}) {
  const remove = useRemovePasskey(passkey.id);
  return (
    <ConfirmDialog
      title={`Remove ${passkey.name}?`}
      description={
        isLast
          ? 'It is your last second factor: after that your password alone signs in, and your backup codes stop working.'
          : 'It signs in no more. Delete it on the device as well.'
      }
      keep="Keep it"
      action="Remove"
      busy={remove.isPending}
      busyLabel="Removing..."
      onConfirm={() => remove.mutate(undefined, { onSuccess: onClose })}
      onClose={onClose}
    >
      {remove.error && (
        <Notice tone="failure">
          {sentenceOf(remove.error, 'The passkey was not removed. Please try again.')}
        </Notice>
      )}
    </ConfirmDialog>
  );
}
