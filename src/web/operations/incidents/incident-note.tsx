import { useState } from 'react';
import { INCIDENT_MOVES } from '#engine/incidents/incident-kind.ts';
import type { Incident } from '#contract/operations/incident.ts';
import { Button } from '../../kit/control/button.tsx';
import { Field } from '../../kit/control/field.tsx';
import { Select } from '../../kit/control/select.tsx';
import { showDateTime } from '../../kit/figure/show-figure.ts';
import { useLookAgain, useNoteIncident } from './incident-queries.ts';
import { MOVES } from './incident-moves.ts';
import { ProposeDialog } from '../proposals/propose-dialog.tsx';

type Props = { incident: Incident; about: string };

/** What support last said about it, and the ways to say more: a note, whose move it is, that its cause is over. */
export function IncidentNote({ incident, about }: Props) {
  const [open, setOpen] = useState<'note' | 'look' | null>(null);
  const close = () => setOpen(null);
  const { note } = incident;
  return (
    <div className="mt-3 grid gap-3">
      {note !== null && (
        <p className="text-sm wrap-anywhere text-ink-soft">
          {note.by}, {showDateTime(note.at)}: {note.text}
        </p>
      )}
      <div className="flex flex-wrap gap-3">
        <Button
          variant="secondary"
          size="small"
          aria-label={`Add a note: ${about}`}
          onClick={() => setOpen('note')}
        >
          Add a note
        </Button>
        {incident.can_look_again && (
          <Button
            variant="secondary"
            size="small"
            aria-label={`Look again: ${about}`}
            onClick={() => setOpen('look')}
          >
            Look again
          </Button>
        )}
      </div>
      {open === 'note' && <NoteDialog incident={incident} about={about} onClose={close} />}
      {open === 'look' && <LookDialog incident={incident} about={about} onClose={close} />}
    </div>
  );
}

function NoteDialog({ incident: { id }, about, onClose }: Props & { onClose: () => void }) {
  const noting = useNoteIncident(id);
  const [move, setMove] = useState<Incident['whose_move'] | ''>('');
  return (
    <ProposeDialog
      title={`Note: ${about}`}
      description="The next person sees that you have looked, and what you found. The incident stays open."
      action="Save"
      label="Note"
      placeholder="the client signs in again this evening"
      mutation={noting}
      onConfirm={(note) => noting.mutate({ note, whose_move: move || null }, { onSuccess: onClose })}
      onClose={onClose}
    >
      <Field label="Whose move" hint="Hands the incident over, until somebody else does.">
        {(wiring) => (
          <Select
            {...wiring}
            value={move}
            onChange={(event) => setMove(INCIDENT_MOVES.find((one) => one === event.target.value) ?? '')}
            options={[
              { value: '', label: 'As it is' },
              ...INCIDENT_MOVES.map((value) => ({ value, label: MOVES[value] })),
            ]}
          />
        )}
      </Field>
    </ProposeDialog>
  );
}

function LookDialog({ incident: { id, kind }, about, onClose }: Props & { onClose: () => void }) {
  const looking = useLookAgain(id);
  return (
    <ProposeDialog
      title={`Look again: ${about}`}
      description={
        kind === 'invariant_broken'
          ? 'The records are checked again now. The incident ends if nothing is found.'
          : 'If it does not happen again within half a minute, the incident ends then, and not after five minutes.'
      }
      action="Look again"
      label="What has changed"
      placeholder="the feed is back"
      mutation={looking}
      onConfirm={(note) => looking.mutate({ note }, { onSuccess: onClose })}
      onClose={onClose}
    />
  );
}
