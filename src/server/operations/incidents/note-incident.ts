import type { operationsEndpoints } from '#contract/operations/operations.ts';
import { canLookAgain } from '#engine/incidents/incident-kind.ts';
import { insertIncidentNote, lockOpenIncident } from '#records/incidents/incident-notes.ts';
import { sendJobs } from '#records/jobs/send-jobs.ts';
import { wallInstantOf } from '#units/wall-instant.ts';
import type { Call } from '../../http/call.ts';
import { notFound, refuse, type Refused } from '../../http/refusal.ts';
import { findSupport, transactAs } from '../find-support.ts';

/** An acknowledgement: it tells the next person, and changes nothing else. */
export const noteIncident: Call<typeof operationsEndpoints.noteIncident> = async (
  { params: { id }, body, caller },
  dependencies,
) => {
  const support = await findSupport(caller, dependencies);
  if (support === null) return notFound();
  const at = wallInstantOf(dependencies.now());
  const refused = await transactAs(support, dependencies, async (trx): Promise<Refused | null> => {
    if ((await lockOpenIncident(trx, id)) === undefined) return notFound();
    const { note, whose_move: move } = body;
    await insertIncidentNote(trx, { incident: id, note, move, looksAgain: false, by: support.id, at });
    return null;
  });
  if (refused !== null) return refused;
};

/** One person: it hides nothing, because whatever still happens is seen again. */
export const lookAgain: Call<typeof operationsEndpoints.lookAgain> = async (
  { params: { id }, body, caller },
  dependencies,
) => {
  const support = await findSupport(caller, dependencies);
  if (support === null) return notFound();
  const at = wallInstantOf(dependencies.now());
  const refused = await transactAs(support, dependencies, async (trx): Promise<Refused | null> => {
    const found = await lockOpenIncident(trx, id);
    if (found === undefined) return notFound();
    if (!canLookAgain(found.kind))
      return refuse('in_use', 'It is looked at by itself, and ends where that shows it.');
    const { note } = body;
    await insertIncidentNote(trx, { incident: id, note, move: null, looksAgain: true, by: support.id, at });
    if (found.kind === 'invariant_broken')
      await sendJobs(trx, 'due-work', [{ data: { work: 'invariants' }, key: 'invariants' }]);
    return null;
  });
  if (refused !== null) return refused;
};
