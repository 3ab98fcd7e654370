import type { operationsEndpoints } from '#contract/operations/operations.ts';
import { canLookAgain, type IncidentKind, isOfChecks } from '#engine/incidents/incident-kind.ts';
import { insertIncidentNote, lockOpenIncident } from '#records/incidents/incident-notes.ts';
import { sendJobs } from '#records/jobs/send-jobs.ts';
import type { Transaction } from '#records/postgres/database.ts';
import type { UserId } from '#units/identifiers.ts';
import { type WallInstant, wallInstantOf } from '#units/wall-instant.ts';
import type { Call, Staff } from '../../http/call.ts';
import type { Dependencies } from '../../http/dependencies.ts';
import { notFound, refuse, type Refused } from '../../http/refusal.ts';
import { staffOf, transactAs } from '../../http/act-as-staff.ts';

/** An acknowledgement: it tells the next person, and changes nothing else. */
export const noteIncident: Call<typeof operationsEndpoints.noteIncident> = (
  { params: { id }, body, request },
  dependencies,
) =>
  writeNote({ id, support: staffOf(request), dependencies }, async (trx, { by, at }) => {
    const { note, whose_move: move } = body;
    await insertIncidentNote(trx, { incident: id, note, move, looksAgain: false, by, at });
    return null;
  });

/** One person: it hides nothing, because whatever still happens is seen again. */
export const lookAgain: Call<typeof operationsEndpoints.lookAgain> = (
  { params: { id }, body, request },
  dependencies,
) =>
  writeNote({ id, support: staffOf(request), dependencies }, async (trx, { kind, by, at }) => {
    if (!canLookAgain(kind))
      return refuse('in_use', 'It is looked at by itself, and ends where that shows it.');
    await insertIncidentNote(trx, { incident: id, note: body.note, move: null, looksAgain: true, by, at });
    if (isOfChecks(kind))
      await sendJobs(trx, 'due-work', [{ data: { work: 'invariants' }, key: 'invariants' }]);
    return null;
  });

type Noting = {
  readonly id: string;
  readonly support: Staff;
  readonly dependencies: Dependencies;
};
type Noted = { readonly kind: IncidentKind; readonly by: UserId; readonly at: WallInstant };

/** By support alone, on an incident that is open and stays so until it is written. */
async function writeNote(
  { id, support, dependencies }: Noting,
  write: (trx: Transaction, noted: Noted) => Promise<Refused | null>,
): Promise<Refused | undefined> {
  const at = wallInstantOf(dependencies.now());
  const refused = await transactAs(support, dependencies, async (trx) => {
    const found = await lockOpenIncident(trx, id);
    return found === undefined ? notFound() : write(trx, { kind: found.kind, by: support.id, at });
  });
  return refused ?? undefined;
}
