import { useRef, useState } from 'react';
import { CallError } from '../call/call-error.ts';
import { type Credentials, useSession } from '../call/session.tsx';
import { Button } from '../kit/control/button.tsx';
import { Checkbox } from '../kit/control/checkbox.tsx';
import { Field } from '../kit/control/field.tsx';
import { TextInput } from '../kit/control/text-input.tsx';
import { TextLink } from '../kit/control/text-link.tsx';
import { Notice } from '../kit/state/notice.tsx';
import { answerWithPasskey } from './ask-passkey.ts';
import { PasskeyButton } from './passkey-button.tsx';
import { CodeField } from './code-field.tsx';
import { textOf, useCredentialsForm } from './use-credentials-form.ts';

/** A right password, and the challenge for a passkey where the account has one. */
type Accepted = { readonly credentials: Credentials; readonly challenge: Challenge | null };
type Challenge = { readonly challenge: string };

/** E-mail and password, and then a passkey or a code where the account has a second factor. */
export function SignInForm() {
  const [accepted, setAccepted] = useState<Accepted | null>(null);
  return accepted === null ? (
    <PasswordForm onAccepted={setAccepted} />
  ) : (
    <SecondFactorForm {...accepted} onBack={() => setAccepted(null)} />
  );
}

function PasswordForm({ onAccepted }: { onAccepted: (accepted: Accepted) => void }) {
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
      onAccepted({ credentials, challenge: challengeIn(error) });
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

/** What the service asks a passkey after a right password; null where the account has none. Anything else is thrown on. */
function challengeIn(error: unknown): Challenge | null {
  if (!(error instanceof CallError) || error.code !== 'code_required') throw error;
  return (error.details?.['passkey'] as Challenge | undefined) ?? null;
}

function SecondFactorForm({ credentials, challenge, onBack }: Accepted & { onBack: () => void }) {
  const { signIn } = useSession();
  const unused = useRef(challenge);
  const { errors, failure, busy, onSubmit } = useCredentialsForm(['code'], (form) =>
    signIn({ ...credentials, code: textOf(form, 'code') }),
  );
  // A challenge is answered once: another attempt needs another.
  const takeChallenge = async () => {
    const taken = unused.current;
    unused.current = null;
    return taken ?? (await signIn(credentials).then(() => null, challengeIn));
  };
  const usePasskey = async () => {
    const given = await takeChallenge();
    if (given !== null) await signIn({ ...credentials, passkey: await answerWithPasskey(given) });
  };
  return (
    <form noValidate onSubmit={(event) => void onSubmit(event)} className="grid gap-5">
      <p className="text-sm text-ink-soft">
        Your password is right. Signing in as <span className="text-ink">{credentials.email}</span> also needs{' '}
        {challenge === null ? 'a code.' : 'a passkey or a code.'}
      </p>
      {challenge !== null && <PasskeyButton wide act={usePasskey} />}
      {failure && <Notice tone="failure">{failure}</Notice>}
      <CodeField
        label={challenge === null ? 'Code' : 'Or a code'}
        error={errors['code']}
        autoFocus={challenge === null}
      />
      <Button
        type="submit"
        size="large"
        wide
        variant={challenge === null ? 'primary' : 'secondary'}
        busy={busy}
        busyLabel="Please wait..."
      >
        Sign In
      </Button>
      <Button variant="quiet" onClick={onBack}>
        Use another account
      </Button>
    </form>
  );
}
