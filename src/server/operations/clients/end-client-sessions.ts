import type { operationsEndpoints } from '#contract/operations/operations.ts';
import { endEverySession } from '#records/identity/sessions.ts';
import { saveSecurityEvent } from '#records/identity/security-log.ts';
import { auditLook, findClient } from '#records/operations/clients.ts';
import { staffOf, transactAs } from '../../http/act-as-staff.ts';
import type { Call } from '../../http/call.ts';
import { notFound } from '../../http/refusal.ts';

/** The client sees that it was support: the address and browser of staff are none of theirs. */
export const endClientSessions: Call<typeof operationsEndpoints.endClientSessions> = async (
  { params, request },
  dependencies,
) => {
  const at = dependencies.now();
  const isDone = await transactAs(staffOf(request), dependencies, async (trx) => {
    const client = await findClient(trx, params.id);
    if (client === undefined) return false;
    const { id } = client;
    await endEverySession(trx, id, at);
    await auditLook(trx, { action: 'person.signed_out', id });
    await saveSecurityEvent(trx, {
      userId: id,
      kind: 'sessions_ended_by_support',
      address: '',
      userAgent: '',
      at,
    });
    return true;
  });
  return isDone ? undefined : notFound();
};
