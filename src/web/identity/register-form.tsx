import { Button } from '../kit/control/button.tsx';
import { Field } from '../kit/control/field.tsx';
import { Notice } from '../kit/state/notice.tsx';
import { TextInput } from '../kit/control/text-input.tsx';
import { TextLink } from '../kit/control/text-link.tsx';
import { useSession } from '../call/session.tsx';
import { textOf, useCredentialsForm } from './use-credentials-form.ts';

export function RegisterForm() {
  const { register } = useSession();
  const { errors, failure, busy, onSubmit } = useCredentialsForm(
    ['first_name', 'email', 'password'],
    (form) =>
      register({
        name: textOf(form, 'first_name').trim(),
        email: textOf(form, 'email').trim(),
        password: textOf(form, 'password'),
      }),
  );
  return (
    <form noValidate onSubmit={(event) => void onSubmit(event)} className="grid gap-5">
      {failure && <Notice tone="failure">{failure}</Notice>}
      <Field label="Full Name" error={errors['first_name']}>
        {(wiring) => <TextInput {...wiring} name="first_name" autoComplete="name" />}
      </Field>
      <Field label="Email Address" error={errors['email']}>
        {(wiring) => (
          <TextInput {...wiring} name="email" type="email" autoComplete="username" inputMode="email" />
        )}
      </Field>
      <Field label="Password" hint="At least 8 characters." error={errors['password']}>
        {(wiring) => <TextInput {...wiring} name="password" type="password" autoComplete="new-password" />}
      </Field>
      <Button type="submit" size="large" wide busy={busy} busyLabel="Please wait...">
        Register
      </Button>
      <p className="text-sm text-ink-faint">
        By registering you accept the <TextLink to="/terms-of-use">Terms of Use</TextLink> and have read the{' '}
        <TextLink to="/privacy-policy">Privacy Policy</TextLink>.
      </p>
    </form>
  );
}
