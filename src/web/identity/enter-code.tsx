import type { SentBody } from '#contract/http/endpoint.ts';
import type { EveryEndpoint } from '#contract/every-endpoint.ts';
import { call } from '../call/call.ts';
import { Button } from '../kit/control/button.tsx';
import { Notice } from '../kit/state/notice.tsx';
import { PasskeyButton } from './passkey-button.tsx';
import { proveWithPasskey } from './passkey-queries.ts';
import { CodeField } from './code-field.tsx';
import { textOf, useCredentialsForm } from './use-credentials-form.ts';

/** What changes the second factor needs a code of it, or a passkey. `onDone` gets new backup codes, or null once it is off. */
export function EnterCode({
  purpose,
  hasPasskey,
  onDone,
  onBack,
}: {
  purpose: 'turn off' | 'new codes';
  hasPasskey: boolean;
  onDone: (backupCodes: readonly string[] | null) => void;
  onBack: () => void;
}) {
  const isEnd = purpose === 'turn off';
  const change = async (body: SentBody<EveryEndpoint['disableSecondFactor']>) => {
    if (!isEnd) return onDone((await call('renewBackupCodes', { body })).backup_codes);
    await call('disableSecondFactor', { body });
    return onDone(null);
  };
  const { errors, failure, busy, onSubmit } = useCredentialsForm(['code'], (form) =>
    change({ code: textOf(form, 'code') }),
  );
  return (
    <form
      noValidate
      onSubmit={(event) => void onSubmit(event)}
      className="grid gap-5 rounded-surface border p-6"
    >
      <p className="text-sm text-ink-soft">
        {isEnd && !hasPasskey
          ? 'After that your password alone signs in, and your backup codes stop working.'
          : isEnd
            ? 'After that your passkeys and backup codes still sign in.'
            : 'Your earlier backup codes stop working.'}
      </p>
      {hasPasskey && <PasskeyButton act={async () => change({ passkey: await proveWithPasskey() })} />}
      {failure && <Notice tone="failure">{failure}</Notice>}
      <CodeField error={errors['code']} autoFocus />
      <div className="flex flex-wrap gap-3">
        <Button variant="secondary" onClick={onBack}>
          Back
        </Button>
        <Button type="submit" variant={isEnd ? 'danger' : 'primary'} busy={busy} busyLabel="Please Wait...">
          {isEnd ? 'Turn off' : 'Make new codes'}
        </Button>
      </div>
    </form>
  );
}
