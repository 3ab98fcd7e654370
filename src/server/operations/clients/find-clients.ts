import type { operationsEndpoints } from '#contract/operations/operations.ts';
import { auditLook, findClients as readClients } from '#records/operations/clients.ts';
import { staffOf, transactAs } from '../../http/act-as-staff.ts';
import type { Call } from '../../http/call.ts';

/** A broker's number of an order may be that of several vendors. */
const FOUND_MAX = 20;

/** Whom they find is written down with who sought. */
export const findClients: Call<typeof operationsEndpoints.findClients> = async (
  { body: { sought }, request },
  dependencies,
) => {
  const found = await transactAs(staffOf(request), dependencies, async (trx) => {
    const clients = await readClients(trx, { sought, max: FOUND_MAX });
    for (const { id } of clients) await auditLook(trx, { action: 'person.found', id });
    return clients;
  });
  return { results: found.map(({ id, email, name, by }) => ({ id, email, name, found_by: by })) };
};
