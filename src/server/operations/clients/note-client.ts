import { randomUUID } from 'node:crypto';
import type { operationsEndpoints } from '#contract/operations/operations.ts';
import { insertClientNote } from '#records/operations/client-notes.ts';
import { findClient } from '#records/operations/clients.ts';
import { isoText } from '#units/instant.ts';
import { staffOf, transactAs } from '../../http/act-as-staff.ts';
import type { Call } from '../../http/call.ts';
import { notFound } from '../../http/refusal.ts';

export const noteClient: Call<typeof operationsEndpoints.noteClient> = async (
  { params, body: { note }, request, repetitionId },
  dependencies,
) => {
  const support = staffOf(request);
  const at = dependencies.now();
  const id = repetitionId ?? randomUUID();
  const isWritten = await transactAs(support, dependencies, async (trx) => {
    const client = await findClient(trx, params.id);
    if (client === undefined) return false;
    await insertClientNote(trx, { id, userId: client.id, note, by: support.id, at });
    return true;
  });
  return isWritten ? { id, note, by: support.email, at: isoText(at) } : notFound();
};
