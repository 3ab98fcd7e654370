import { useEffect, useState } from 'react';
import { call } from '../call/call.ts';
import { answerConfirmations, type ConfirmedBy } from '../call/confirmation.ts';
import { Button } from '../kit/control/button.tsx';
import { Field } from '../kit/control/field.tsx';
import { TextInput } from '../kit/control/text-input.tsx';
import { Dialog } from '../kit/overlay/dialog.tsx';
import { Notice } from '../kit/state/notice.tsx';
import { PasskeyButton } from './passkey-button.tsx';
import { proveWithPasskey } from './passkey-queries.ts';
import { CodeField } from './code-field.tsx';
import { textOf, useCredentialsForm } from './use-credentials-form.ts';

type Question = { by: ConfirmedBy; answer: (confirmed: boolean) => void };

/** Asks that it is the person before what moves money or changes how they sign in; part of every page. */
export function ConfirmIdentity() {
  const [question, setQuestion] = useState<Question | null>(null);
  useEffect(
    () => answerConfirmations((by) => new Promise<boolean>((answer) => setQuestion({ by, answer }))),
    [],
  );
  if (question === null) return null;
  const end = (confirmed: boolean) => {
    setQuestion(null);
    question.answer(confirmed);
  };
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && end(false)}
      title="Is it you?"
      description="This moves money or changes how you sign in. Your answer counts for ten minutes."
    >
      <ConfirmationForm by={question.by} onConfirmed={() => end(true)} onBack={() => end(false)} />
    </Dialog>
  );
}

function ConfirmationForm({
  by,
  onConfirmed,
  onBack,
}: {
  by: ConfirmedBy;
  onConfirmed: () => void;
  onBack: () => void;
}) {
  const field = by === 'password' ? 'password' : 'code';
  const { errors, failure, busy, onSubmit } = useCredentialsForm([field], async (form) => {
    await call('confirmIdentity', { body: { [field]: textOf(form, field) } });
    onConfirmed();
  });
  const usePasskey = async () => {
    await call('confirmIdentity', { body: { passkey: await proveWithPasskey() } });
    onConfirmed();
  };
  return (
    <form noValidate onSubmit={(event) => void onSubmit(event)} className="grid gap-5">
      {failure && <Notice tone="failure">{failure}</Notice>}
      {by === 'passkey' && <PasskeyButton act={usePasskey} />}
      {field === 'code' ? (
        <CodeField
          label={by === 'passkey' ? 'Or a code' : 'Code'}
          error={errors['code']}
          autoFocus={by === 'code'}
        />
      ) : (
        <Field label="Your password" error={errors['password'] ?? null}>
          {(wiring) => (
            <TextInput {...wiring} name="password" type="password" autoComplete="current-password" />
          )}
        </Field>
      )}
      <div className="mt-3 flex flex-wrap justify-end gap-3">
        <Button variant="secondary" onClick={onBack}>
          Back
        </Button>
        <Button type="submit" busy={busy} busyLabel="Please wait...">
          Confirm
        </Button>
      </div>
    </form>
  );
}
