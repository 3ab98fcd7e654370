import { useState } from 'react';
import { useNavigate } from 'react-router';
import { call } from '../call/call.ts';
import { CallError } from '../call/call-error.ts';
import { clearTokens } from '../call/tokens.ts';
import { Button } from '../kit/control/button.tsx';
import { Field } from '../kit/control/field.tsx';
import { Notice } from '../kit/state/notice.tsx';
import { TextInput } from '../kit/control/text-input.tsx';
import { showToast } from '../kit/overlay/toast.ts';
import { textOf, useCredentialsForm } from './use-credentials-form.ts';

/** Sets a new password with the token of a mailed link, then goes to sign-in. */
export function NewPasswordForm({ token, onAskAgain }: { token: string; onAskAgain: () => void }) {
  const navigate = useNavigate();
  const [spent, setSpent] = useState<string | null>(null);
  const { errors, failure, busy, onSubmit } = useCredentialsForm(
    ['new_password', 'confirm_new_password'],
    async (form) => {
      const body = {
        token,
        new_password: textOf(form, 'new_password'),
        confirm_new_password: textOf(form, 'confirm_new_password'),
      };
      try {
        await call('confirmPasswordReset', { body });
      } catch (error) {
        if (error instanceof CallError && error.code === 'invalid_token') return setSpent(error.message);
        throw error;
      }
      clearTokens();
      showToast({
        title: 'Your password was changed',
        message: 'Please sign in with the new one.',
        type: 'success',
      });
      await navigate('/login', { replace: true });
    },
  );
  return (
    <form noValidate onSubmit={(event) => void onSubmit(event)} className="grid gap-5">
      {failure && <Notice tone="failure">{failure}</Notice>}
      {spent && (
        <Notice
          tone="failure"
          action={
            <Button variant="secondary" size="small" onClick={onAskAgain}>
              Request a new link
            </Button>
          }
        >
          {spent}
        </Notice>
      )}
      <Field label="New password" hint="At least 8 characters." error={errors['new_password']}>
        {(wiring) => (
          <TextInput {...wiring} name="new_password" type="password" autoComplete="new-password" />
        )}
      </Field>
      <Field label="Confirm the new password" error={errors['confirm_new_password']}>
        {(wiring) => (
          <TextInput {...wiring} name="confirm_new_password" type="password" autoComplete="new-password" />
        )}
      </Field>
      <Button type="submit" size="large" wide busy={busy} busyLabel="Please wait...">
        Set new password
      </Button>
    </form>
  );
}
