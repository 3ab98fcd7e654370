import { useState } from 'react';
import { CallError } from '../call/call-error.ts';
import { type Credentials, useSession } from '../call/session.tsx';
import { Button } from '../kit/control/button.tsx';
import { Checkbox } from '../kit/control/checkbox.tsx';
import { Field } from '../kit/control/field.tsx';
import { TextInput } from '../kit/control/text-input.tsx';
import { TextLink } from '../kit/control/text-link.tsx';
import { Notice } from '../kit/state/notice.tsx';
import { CodeField } from './code-field.tsx';
import { textOf, useCredentialsForm } from './use-credentials-form.ts';

/** E-mail and password, and then a code where the account has a second factor. */
export function SignInForm() {
  const [accepted, setAccepted] = useState<Credentials | null>(null);
  return accepted === null ? (
    <PasswordForm onAccepted={setAccepted} />
  ) : (
    <CodeForm credentials={accepted} onBack={() => setAccepted(null)} />
  );
}

function PasswordForm({ onAccepted }: { onAccepted: (credentials: Credentials) => void }) {
  const { signIn } = useSession();
  const { errors, failure, busy, onSubmit } = useCredentialsForm(['email', 'password'], async (form) => {
    const credentials = {
      email: textOf(form, 'email').trim(),
      password: textOf(form, 'password'),
      remember: form.get('remember') !== null,
    };
    try {
      await signIn(credentials);
    } catch (error) {
      if (!(error instanceof CallError) || error.code !== 'code_required') throw error;
      onAccepted(credentials);
    }
  });
  return (
    <form noValidate onSubmit={(event) => void onSubmit(event)} className="grid gap-5">
      {failure && <Notice tone="failure">{failure}</Notice>}
      <Field label="Email Address" error={errors['email']}>
        {(wiring) => (
          <TextInput {...wiring} name="email" type="email" autoComplete="username" inputMode="email" />
        )}
      </Field>
      <Field
        label="Password"
        error={errors['password']}
        aside={
          <TextLink to="/reset-password" className="text-sm">
            Forgot password
          </TextLink>
        }
      >
        {(wiring) => (
          <TextInput {...wiring} name="password" type="password" autoComplete="current-password" />
        )}
      </Field>
      <Checkbox name="remember" label="Remember me" hint="Keeps you signed in on this device for longer." />
      <Button type="submit" size="large" wide busy={busy} busyLabel="Please wait...">
        Sign In
      </Button>
    </form>
  );
}

function CodeForm({ credentials, onBack }: { credentials: Credentials; onBack: () => void }) {
  const { signIn } = useSession();
  const { errors, failure, busy, onSubmit } = useCredentialsForm(['code'], (form) =>
    signIn({ ...credentials, code: textOf(form, 'code') }),
  );
  return (
    <form noValidate onSubmit={(event) => void onSubmit(event)} className="grid gap-5">
      <p className="text-sm text-ink-soft">
        Your password is right. Signing in as <span className="text-ink">{credentials.email}</span> also needs
        a code.
      </p>
      {failure && <Notice tone="failure">{failure}</Notice>}
      <CodeField error={errors['code']} autoFocus />
      <Button type="submit" size="large" wide busy={busy} busyLabel="Please wait...">
        Sign In
      </Button>
      <Button variant="quiet" onClick={onBack}>
        Use another account
      </Button>
    </form>
  );
}
