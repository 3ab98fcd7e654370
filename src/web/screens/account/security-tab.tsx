import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { ApiKeys } from '../../api-keys/api-keys.tsx';
import { call } from '../../call/call.ts';
import { CallError, sentenceOf } from '../../call/call-error.ts';
import { Button } from '../../kit/control/button.tsx';
import { Field } from '../../kit/control/field.tsx';
import { OpenSessions } from '../../identity/open-sessions.tsx';
import { SecurityActivity } from '../../identity/security-activity.tsx';
import { TwoFactor } from '../../identity/two-factor.tsx';
import { Notice } from '../../kit/state/notice.tsx';
import { SectionTitle } from '../../kit/page/section-title.tsx';
import { TextInput } from '../../kit/control/text-input.tsx';

export function SecurityTab() {
  return (
    <div className="grid max-w-2xl gap-12">
      <ChangePassword />
      <TwoFactor />
      <OpenSessions />
      <ApiKeys />
      <SecurityActivity />
    </div>
  );
}

/** It ends every other session. */
function ChangePassword() {
  const cache = useQueryClient();
  const [present, setPresent] = useState('');
  const [next, setNext] = useState('');
  const change = useMutation({
    mutationFn: () => call('changePassword', { body: { old_password: present, new_password: next } }),
    onSuccess: () => {
      setPresent('');
      setNext('');
      // The other sessions ended.
      return cache.invalidateQueries({ queryKey: ['sessions'] });
    },
  });
  const failedField = change.error instanceof CallError ? change.error.field : undefined;
  const sentence = change.isError
    ? sentenceOf(change.error, 'The password was not changed. Please try again.')
    : null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    change.mutate();
  };
  return (
    <form className="grid max-w-md gap-5" onSubmit={submit}>
      <SectionTitle note="This signs you out on all other devices.">Change Password</SectionTitle>
      {change.isSuccess && <Notice tone="success">Your password was changed.</Notice>}
      {sentence && failedField === undefined && <Notice tone="failure">{sentence}</Notice>}
      <Field label="Current password" error={failedField === 'old_password' ? sentence : null}>
        {(wiring) => (
          <TextInput
            {...wiring}
            type="password"
            autoComplete="current-password"
            required
            value={present}
            onChange={(event) => setPresent(event.target.value)}
          />
        )}
      </Field>
      <Field
        label="New password"
        hint="At least 8 characters. Three or four unrelated words do well."
        error={failedField === 'new_password' ? sentence : null}
      >
        {(wiring) => (
          <TextInput
            {...wiring}
            type="password"
            autoComplete="new-password"
            required
            minLength={8}
            value={next}
            onChange={(event) => setNext(event.target.value)}
          />
        )}
      </Field>
      <div>
        <Button type="submit" busy={change.isPending} busyLabel="Please Wait...">
          Change Password
        </Button>
      </div>
    </form>
  );
}
