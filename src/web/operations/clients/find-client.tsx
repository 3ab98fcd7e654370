import { Search } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { useNavigate } from 'react-router';
import type { FoundClient } from '#contract/operations/clients.ts';
import { CallError, sentenceOf } from '../../call/call-error.ts';
import { Button } from '../../kit/control/button.tsx';
import { Field } from '../../kit/control/field.tsx';
import { TextInput } from '../../kit/control/text-input.tsx';
import { TextLink } from '../../kit/control/text-link.tsx';
import { Notice } from '../../kit/state/notice.tsx';
import { useFindClients } from './client-queries.ts';

const BY: Readonly<Record<FoundClient['found_by'], string>> = {
  mail: 'by mail',
  account: 'by account',
  order: 'by order',
};

/** One field for whatever a client has at hand. A single client opens at once. */
export function FindClient() {
  const navigate = useNavigate();
  const [sought, setSought] = useState('');
  const find = useFindClients();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    find.mutate(sought, {
      onSuccess: ({ results }) => {
        const [only] = results;
        if (only !== undefined && results.length === 1) void navigate(`/operations/clients/${only.id}`);
      },
    });
  };
  const isAtField = find.error instanceof CallError && find.error.field === 'sought';
  const sentence = find.error && sentenceOf(find.error, 'The search failed. Please try again.');
  return (
    <div className="grid max-w-2xl gap-6">
      <form className="grid gap-5" role="search" onSubmit={submit}>
        {sentence && !isAtField && <Notice tone="failure">{sentence}</Notice>}
        <Field
          label="Mail, account number or order id"
          hint="As a whole: a part finds nobody."
          error={isAtField ? sentence : null}
        >
          {(wiring) => (
            <TextInput
              {...wiring}
              lead={<Search className="size-4" />}
              value={sought}
              maxLength={254}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              onChange={(event) => setSought(event.target.value)}
            />
          )}
        </Field>
        <div>
          <Button
            type="submit"
            busy={find.isPending}
            busyLabel="Searching..."
            disabled={sought.trim().length < 3}
          >
            Find
          </Button>
        </div>
      </form>
      <div aria-live="polite">
        {find.data?.results.length === 0 && (
          <p className="text-ink-soft">Nobody has exactly this. Check it for missing letters or digits.</p>
        )}
        {find.data && find.data.results.length > 1 && (
          <ul className="border-y">
            {find.data.results.map(({ id, email, name, found_by: by }) => (
              <li key={id} className="flex flex-wrap gap-x-6 gap-y-1 border-b py-3 last:border-0">
                <TextLink to={`/operations/clients/${id}`}>{email}</TextLink>
                <span className="text-ink-soft">{name}</span>
                <span className="text-sm text-ink-faint">{BY[by]}</span>
              </li>
            ))}
          </ul>
        )}
      </div>
    </div>
  );
}
