import { call } from '../call/call.ts';
import { Button } from '../kit/control/button.tsx';
import { Notice } from '../kit/state/notice.tsx';
import { CodeField } from './code-field.tsx';
import { SquareCode } from './square-code.tsx';
import { textOf, useCredentialsForm } from './use-credentials-form.ts';

/** The secret goes into the app, and a first code comes back. */
export function SetUpTwoFactor({
  setup,
  onEnabled,
  onBack,
}: {
  setup: { readonly otpauth_url: string; readonly secret: string };
  onEnabled: (backupCodes: readonly string[]) => void;
  onBack: () => void;
}) {
  const { errors, failure, busy, onSubmit } = useCredentialsForm(['code'], async (form) => {
    const answer = await call('enableSecondFactor', { body: { code: textOf(form, 'code') } });
    onEnabled(answer.backup_codes);
  });
  return (
    <form
      noValidate
      onSubmit={(event) => void onSubmit(event)}
      className="grid gap-6 rounded-surface border p-6 sm:grid-cols-[auto_1fr] sm:gap-8"
    >
      <SquareCode text={setup.otpauth_url} label="The secret for your authenticator app, as a square code" />
      <div className="grid content-start gap-6">
        <div className="grid gap-2">
          <p className="font-medium">1. Scan this with an authenticator app</p>
          <p className="text-sm text-ink-soft">
            On this phone,{' '}
            <a className="text-accent underline underline-offset-4" href={setup.otpauth_url}>
              open it in your app
            </a>
            . Or type the key:
          </p>
          <p className="font-mono text-sm break-words select-all">
            {setup.secret.replaceAll(/(.{4})(?=.)/g, '$1 ')}
          </p>
        </div>
        <div className="grid gap-3">
          <p className="font-medium">2. Enter the code that it shows</p>
          {failure && <Notice tone="failure">{failure}</Notice>}
          <CodeField hint="Six digits, new every 30 seconds." error={errors['code']} />
        </div>
        <div className="flex flex-wrap gap-3">
          <Button type="submit" busy={busy} busyLabel="Please Wait...">
            Turn on
          </Button>
          <Button variant="secondary" onClick={onBack}>
            Not now
          </Button>
        </div>
      </div>
    </form>
  );
}
