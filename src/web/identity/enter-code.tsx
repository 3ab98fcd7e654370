import { call } from '../call/call.ts';
import { Button } from '../kit/control/button.tsx';
import { Notice } from '../kit/state/notice.tsx';
import { CodeField } from './code-field.tsx';
import { textOf, useCredentialsForm } from './use-credentials-form.ts';

/** What changes the second factor needs a code of it. `onDone` gets new backup codes, or null once it is off. */
export function EnterCode({
  purpose,
  onDone,
  onBack,
}: {
  purpose: 'turn off' | 'new codes';
  onDone: (backupCodes: readonly string[] | null) => void;
  onBack: () => void;
}) {
  const isEnd = purpose === 'turn off';
  const { errors, failure, busy, onSubmit } = useCredentialsForm(['code'], async (form) => {
    const body = { code: textOf(form, 'code') };
    if (!isEnd) return onDone((await call('renewBackupCodes', { body })).backup_codes);
    await call('disableSecondFactor', { body });
    return onDone(null);
  });
  return (
    <form
      noValidate
      onSubmit={(event) => void onSubmit(event)}
      className="grid gap-5 rounded-surface border p-6"
    >
      <p className="text-sm text-ink-soft">
        {isEnd
          ? 'After that your password alone signs in, and your backup codes stop working.'
          : 'Your earlier backup codes stop working.'}
      </p>
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
