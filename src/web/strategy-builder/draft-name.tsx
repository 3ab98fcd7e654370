import { useState } from 'react';
import type { StrategyDraft } from '#contract/strategies/strategy-drafts.ts';
import { sentenceOf } from '../call/call-error.ts';
import { Button } from '../kit/control/button.tsx';
import { Field } from '../kit/control/field.tsx';
import { TextInput } from '../kit/control/text-input.tsx';
import { showToast } from '../kit/overlay/toast.ts';
import { useTuneStrategy } from './builder-queries.ts';

export function DraftName({ draft }: { draft: StrategyDraft }) {
  const save = useTuneStrategy(draft.id);
  const [name, setName] = useState(draft.name);
  const isEmpty = name.trim() === '';
  return (
    <form
      className="flex flex-wrap items-end gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (isEmpty) return;
        save.mutate({ name }, { onSuccess: () => showToast({ title: 'Name saved', type: 'success' }) });
      }}
    >
      <div className="min-w-0 flex-1 basis-64">
        <Field
          label="Name"
          error={isEmpty ? 'Enter a name' : save.isError ? sentenceOf(save.error, 'It was not saved.') : null}
        >
          {(wiring) => (
            <TextInput
              {...wiring}
              maxLength={120}
              value={name}
              onChange={(event) => setName(event.target.value)}
            />
          )}
        </Field>
      </div>
      <Button
        type="submit"
        variant="secondary"
        size="large"
        busy={save.isPending}
        busyLabel="Saving..."
        disabled={isEmpty || name.trim() === draft.name}
      >
        Save
      </Button>
    </form>
  );
}
