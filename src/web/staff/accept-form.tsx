import { useState } from 'react';
import { useNavigate } from 'react-router';
import { STAFF_PASSWORD_LENGTH_MIN } from '#rules/identity/password-problem.ts';
import { call } from '../call/call.ts';
import { CallError } from '../call/call-error.ts';
import { useSession } from '../call/session.tsx';
import { textOf, useCredentialsForm } from '../identity/use-credentials-form.ts';
import { Button } from '../kit/control/button.tsx';
import { Field } from '../kit/control/field.tsx';
import { TextInput } from '../kit/control/text-input.tsx';
import { Notice } from '../kit/state/notice.tsx';

/** Makes the account, signs in and leads to the second factor. */
export function AcceptForm({ token }: { token: string }) {
  const { signIn } = useSession();
  const navigate = useNavigate();
  const [spent, setSpent] = useState<string | null>(null);
  const { errors, failure, busy, onSubmit } = useCredentialsForm(['first_name', 'password'], async (form) => {
    const password = textOf(form, 'password');
    const body = {
      token,
      first_name: textOf(form, 'first_name').trim(),
      password,
      confirm_password: textOf(form, 'confirm_password'),
    };
    try {
      const { email } = await call('acceptInvitation', { body });
      await signIn({ email, password, remember: false });
    } catch (error) {
      if (error instanceof CallError && (error.code === 'invalid_token' || error.code === 'email_taken'))
        return setSpent(error.message);
      throw error;
    }
    await navigate('/account?tab=security', { replace: true });
  });
  return (
    <form noValidate onSubmit={(event) => void onSubmit(event)} className="grid gap-5">
      {failure && <Notice tone="failure">{failure}</Notice>}
      {spent && <Notice tone="failure">{spent}</Notice>}
      <Field label="Full Name" error={errors['first_name']}>
        {(wiring) => <TextInput {...wiring} name="first_name" autoComplete="name" />}
      </Field>
      <Field
        label="Password"
        hint={`At least ${STAFF_PASSWORD_LENGTH_MIN} characters. Four unrelated words do well.`}
        error={errors['password']}
      >
        {(wiring) => <TextInput {...wiring} name="password" type="password" autoComplete="new-password" />}
      </Field>
      <Field label="Confirm the password" error={errors['confirm_password']}>
        {(wiring) => (
          <TextInput {...wiring} name="confirm_password" type="password" autoComplete="new-password" />
        )}
      </Field>
      <Button type="submit" size="large" wide busy={busy} busyLabel="Please wait...">
        Join
      </Button>
    </form>
  );
}
