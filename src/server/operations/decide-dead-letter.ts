import type { operationsEndpoints } from '#contract/operations/operations.ts';
import { decideDeadLetter as decide, findDecidedDeadLetter } from '#records/jobs/dead-letters.ts';
import { endIncident } from '#records/incidents/incidents.ts';
import { wallInstantOf } from '#units/wall-instant.ts';
import type { Call } from '../http/call.ts';
import { notFound, refuse } from '../http/refusal.ts';
import { staffOf, transactAs } from '../http/act-as-staff.ts';

export const decideDeadLetter: Call<typeof operationsEndpoints.decideDeadLetter> = async (
  { params: { id }, body: { decision }, request },
  dependencies,
) => {
  const { database } = dependencies.records;
  const support = staffOf(request);
  const outcome = await transactAs(support, dependencies, async (trx) => {
    const decided = await decide(trx, { id, decision, by: support.id });
    const at = wallInstantOf(dependencies.now());
    if (decided === 'decided')
      await endIncident(trx, { kind: 'job_dead', subject: id }, { how: 'cleared', at });
    return decided;
  });
  if (outcome === 'held')
    return refuse('illegal_move', 'The same job is waiting or running already. Discard this one.');
  const decided = await findDecidedDeadLetter(database, id);
  if (decided === undefined) return notFound();
  // The same decision by the same person, sent again after its answer was lost, returns the same answer.
  const isRepeated = decided.by === support.id && decided.decision === decision;
  if (outcome === 'not_found' && !isRepeated) {
    const done = decided.decision === 'retry' ? 'retried' : 'discarded';
    return refuse('already_decided', `${decided.email} ${done} it at ${decided.at.toISOString()}.`);
  }
  return { id, decision, decided_at: decided.at.toISOString() };
};
