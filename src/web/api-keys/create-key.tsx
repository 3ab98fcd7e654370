import { type FormEvent, useState } from 'react';
import { hasEnded } from '#engine/lifecycle/status.ts';
import { canAct, KEY_NAME_MAX, KEY_SCOPES, type KeyScope, SCOPE_TEXTS } from '#rules/api-keys/key-terms.ts';
import { CallError, sentenceOf } from '../call/call-error.ts';
import { Button } from '../kit/control/button.tsx';
import { Checkbox } from '../kit/control/checkbox.tsx';
import { Field } from '../kit/control/field.tsx';
import { Select } from '../kit/control/select.tsx';
import { TextInput } from '../kit/control/text-input.tsx';
import { Dialog } from '../kit/overlay/dialog.tsx';
import { Notice } from '../kit/state/notice.tsx';
import { useCreateKey, useOwnDeployments } from './api-key-queries.ts';

const DAYS = [
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: 'One year' },
] as const;

export function CreateKey({ onCreated }: { onCreated: (secret: string) => void }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button variant="secondary" size="small" onClick={() => setOpen(true)}>
        Create a key
      </Button>
      {open && (
        <Dialog
          open
          onOpenChange={setOpen}
          title="Create an API key"
          description="Give it no more than the program needs."
        >
          <KeyForm
            onCreated={(secret) => {
              setOpen(false);
              onCreated(secret);
            }}
            onBack={() => setOpen(false)}
          />
        </Dialog>
      )}
    </>
  );
}

/** What is typed, and the key that it makes. */
function useKeyForm(onCreated: (secret: string) => void) {
  const create = useCreateKey();
  const [typed, setTyped] = useState<Typed>(EMPTY);
  const problem = create.error && sentenceOf(create.error, 'The key was not created. Please try again.');
  const field = create.error instanceof CallError ? create.error.field : undefined;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const { name, scopes, days, budget, perDay, listed } = typed;
    create.mutate(
      {
        name,
        scopes: [...scopes],
        expires_in_days: Number(days),
        ...(canAct(scopes) && {
          budget: Number(budget),
          acts_per_day: Number(perDay),
          deployments: [...listed],
        }),
      },
      { onSuccess: ({ secret }) => onCreated(secret) },
    );
  };
  return {
    typed,
    set: (change: Partial<Typed>) => setTyped((before) => ({ ...before, ...change })),
    busy: create.isPending,
    failure: field === undefined ? problem : null,
    errorOf: (name: string) => (field?.split('.')[0] === name ? problem : null),
    submit,
  };
}

type Typed = {
  readonly name: string;
  readonly scopes: readonly KeyScope[];
  readonly days: string;
  readonly budget: string;
  readonly perDay: string;
  readonly listed: readonly string[];
};

const EMPTY: Typed = { name: '', scopes: ['read'], days: '90', budget: '10000', perDay: '20', listed: [] };

function KeyForm({ onCreated, onBack }: { onCreated: (secret: string) => void; onBack: () => void }) {
  const { typed, set, busy, failure, errorOf, submit } = useKeyForm(onCreated);
  const { name, scopes, days, budget, perDay, listed } = typed;
  return (
    <form className="grid gap-5" noValidate onSubmit={submit}>
      {failure && <Notice tone="failure">{failure}</Notice>}
      <Field label="Name" hint="Such as the program that uses it." error={errorOf('name')}>
        {(wiring) => (
          <TextInput
            {...wiring}
            value={name}
            maxLength={KEY_NAME_MAX}
            autoComplete="off"
            onChange={(event) => set({ name: event.target.value })}
          />
        )}
      </Field>
      <Scopes scopes={scopes} onScopes={(chosen) => set({ scopes: chosen })} error={errorOf('scopes')} />
      {canAct(scopes) && (
        <>
          <Limit
            label="Budget in dollars"
            hint="The most that all its deployments may hold together, practice money included."
            error={errorOf('budget')}
            value={budget}
            onValue={(text) => set({ budget: text })}
          />
          <Limit
            label="Acts a day"
            hint="Counted from midnight UTC."
            error={errorOf('acts_per_day')}
            value={perDay}
            onValue={(text) => set({ perDay: text })}
          />
          <ListedDeployments
            listed={listed}
            onListed={(ids) => set({ listed: ids })}
            error={errorOf('deployments')}
          />
        </>
      )}
      <Field label="Works for" error={errorOf('expires_in_days')}>
        {(wiring) => (
          <Select
            {...wiring}
            options={DAYS}
            value={days}
            onChange={(event) => set({ days: event.target.value })}
          />
        )}
      </Field>
      <div className="mt-3 flex flex-wrap justify-end gap-3">
        <Button variant="secondary" onClick={onBack}>
          Back
        </Button>
        <Button
          type="submit"
          busy={busy}
          busyLabel="Creating..."
          disabled={name.trim() === '' || scopes.length === 0}
        >
          Create the key
        </Button>
      </div>
    </form>
  );
}

function Scopes({
  scopes,
  onScopes,
  error,
}: {
  scopes: readonly KeyScope[];
  onScopes: (scopes: readonly KeyScope[]) => void;
  error: string | null;
}) {
  return (
    <fieldset className="grid gap-3">
      <legend className="mb-1.5 text-sm font-medium">What it may do</legend>
      {KEY_SCOPES.map((scope) => (
        <Checkbox
          key={scope}
          label={scope[0]!.toUpperCase() + scope.slice(1)}
          hint={SCOPE_TEXTS[scope]}
          checked={scopes.includes(scope)}
          onChange={() => onScopes(toggled(scopes, scope))}
        />
      ))}
      {error && <Notice tone="failure">{error}</Notice>}
    </fieldset>
  );
}

function Limit({
  label,
  hint,
  error,
  value,
  onValue,
}: {
  label: string;
  hint: string;
  error: string | null;
  value: string;
  onValue: (text: string) => void;
}) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(wiring) => (
        <TextInput
          {...wiring}
          inputMode="decimal"
          value={value}
          onChange={(event) => onValue(event.target.value)}
        />
      )}
    </Field>
  );
}

function ListedDeployments({
  listed,
  onListed,
  error,
}: {
  listed: readonly string[];
  onListed: (ids: readonly string[]) => void;
  error: string | null;
}) {
  const deployments = useOwnDeployments();
  const live = (deployments.data ?? []).filter(({ status }) => !hasEnded(status));
  if (live.length === 0 && error === null) return null;
  return (
    <fieldset className="grid gap-3">
      <legend className="mb-1.5 text-sm font-medium">Deployments that it may control too</legend>
      {live.map(({ id, strategy_name: name, mode }) => (
        <Checkbox
          key={id}
          label={`${name} (${mode})`}
          checked={listed.includes(id)}
          onChange={() => onListed(toggled(listed, id))}
        />
      ))}
      <p className="text-sm text-ink-faint">What it makes itself it controls without this.</p>
      {error && <Notice tone="failure">{error}</Notice>}
    </fieldset>
  );
}

function toggled<One>(all: readonly One[], one: One): readonly One[] {
  return all.includes(one) ? all.filter((other) => other !== one) : [...all, one];
}
