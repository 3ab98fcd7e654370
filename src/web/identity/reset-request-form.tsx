import { useState } from 'react';
import { call } from '../call/call.ts';
import { Button } from '../kit/control/button.tsx';
import { Field } from '../kit/control/field.tsx';
import { Notice } from '../kit/state/notice.tsx';
import { TextInput } from '../kit/control/text-input.tsx';
import { TextLink } from '../kit/control/text-link.tsx';
import { textOf, useCredentialsForm } from './use-credentials-form.ts';

/** Requests a mailed link. Its confirmation does not reveal whether the e-mail has an account. */
export function ResetRequestForm() {
  const [askedFor, setAskedFor] = useState<string | null>(null);
  const { errors, failure, busy, onSubmit } = useCredentialsForm(['email'], async (form) => {
    const email = textOf(form, 'email').trim();
    await call('requestPasswordReset', { body: { email } });
    setAskedFor(email);
  });
  return (
    <form noValidate onSubmit={(event) => void onSubmit(event)} className="grid gap-5">
      {failure && <Notice tone="failure">{failure}</Notice>}
      {askedFor && (
        <Notice tone="success" title="Check your inbox">
          If {askedFor} has an account, a link is on its way. It works once and expires in 30 minutes.
        </Notice>
      )}
      <Field label="Email Address" error={errors['email']}>
        {(wiring) => (
          <TextInput {...wiring} name="email" type="email" autoComplete="username" inputMode="email" />
        )}
      </Field>
      <Button type="submit" size="large" wide busy={busy} busyLabel="Please wait...">
        E-mail me a link
      </Button>
      <p className="text-sm">
        <TextLink to="/login">Back to Sign In</TextLink>
      </p>
    </form>
  );
}
