import { type FormEvent, useState } from 'react';
import type { ClientNote } from '#contract/operations/clients.ts';
import { sentenceOf } from '../../call/call-error.ts';
import { Button } from '../../kit/control/button.tsx';
import { Field } from '../../kit/control/field.tsx';
import { CONTROL_CLASSES } from '../../kit/control/text-input.tsx';
import { showDateTime } from '../../kit/figure/show-figure.ts';
import { SectionTitle } from '../../kit/page/section-title.tsx';
import { Notice } from '../../kit/state/notice.tsx';
import { useNoteClient } from './client-queries.ts';

/** What colleagues know about a client, and a place to write more. */
export function ClientNotes({ id, notes }: { id: string; notes: readonly ClientNote[] }) {
  return (
    <section className="grid gap-4" aria-labelledby="client-notes">
      <SectionTitle id="client-notes" note="Kept with your name and the time. Nobody changes a note.">
        Notes
      </SectionTitle>
      <NoteForm key={notes.length} id={id} />
      {notes.length > 0 && (
        <ul>
          {notes.map(({ id: noteId, note, by, at }) => (
            <li key={noteId} className="grid gap-1 border-b py-4 last:border-0">
              <p className="whitespace-pre-line wrap-anywhere">{note}</p>
              <p className="text-sm wrap-anywhere text-ink-faint">
                {by}, {showDateTime(at)}
              </p>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function NoteForm({ id }: { id: string }) {
  const [note, setNote] = useState('');
  const write = useNoteClient(id);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    write.mutate(note);
  };
  return (
    <form className="grid gap-4" onSubmit={submit}>
      {write.error && (
        <Notice tone="failure">{sentenceOf(write.error, 'The note was not saved. Please try again.')}</Notice>
      )}
      <Field label="New note" hint="No passwords, codes or card numbers.">
        {(wiring) => (
          <textarea
            {...wiring}
            rows={3}
            maxLength={2_000}
            className={`${CONTROL_CLASSES} py-2`}
            value={note}
            onChange={(event) => setNote(event.target.value)}
          />
        )}
      </Field>
      <div>
        <Button
          type="submit"
          variant="secondary"
          busy={write.isPending}
          busyLabel="Saving..."
          disabled={note.trim().length < 3}
        >
          Write the note
        </Button>
      </div>
    </form>
  );
}
