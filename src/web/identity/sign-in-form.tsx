import { Button } from '../kit/control/button.tsx';
import { Checkbox } from '../kit/control/checkbox.tsx';
import { Field } from '../kit/control/field.tsx';
import { Notice } from '../kit/state/notice.tsx';
import { TextInput } from '../kit/control/text-input.tsx';
import { TextLink } from '../kit/control/text-link.tsx';
import { useSession } from '../call/session.tsx';
import { textOf, useCredentialsForm } from './use-credentials-form.ts';

export function SignInForm() {
  const { signIn } = useSession();
  const { errors, failure, busy, onSubmit } = useCredentialsForm(['email', 'password'], (form) =>
    signIn({
      email: textOf(form, 'email').trim(),
      password: textOf(form, 'password'),
      remember: form.get('remember') !== null,
    }),
  );
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
