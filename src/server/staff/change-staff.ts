import type { staffEndpoints } from '#contract/staff.ts';
import { lockStaff, setDisabled } from '#records/identity/staff-accounts.ts';
import { endEverySession } from '#records/identity/sessions.ts';
import { takeRole } from '#records/identity/users.ts';
import { voidProposalsBy } from '#records/operations/proposals.ts';
import type { Transaction } from '#records/postgres/database.ts';
import type { UserId } from '#units/identifiers.ts';
import type { FastifyRequest } from 'fastify';
import { staffOf, transactAs } from '../http/act-as-staff.ts';
import type { Call } from '../http/call.ts';
import type { Dependencies } from '../http/dependencies.ts';
import { notFound, refuse, type Refused } from '../http/refusal.ts';

/** The account stays, as a client's. */
export const takeStaffRole: Call<typeof staffEndpoints.takeStaffRole> = ({ params, request }, dependencies) =>
  changeStaff({ id: params.id, request }, dependencies, async (trx, id) => {
    await takeRole(trx, id);
    await voidProposalsBy(trx, id);
    await endEverySession(trx, id, dependencies.now());
  });

export const disableAccount: Call<typeof staffEndpoints.disableAccount> = (
  { params, request },
  dependencies,
) =>
  changeStaff({ id: params.id, request }, dependencies, async (trx, id) => {
    await setDisabled(trx, id, dependencies.now());
    await voidProposalsBy(trx, id);
    await endEverySession(trx, id, dependencies.now());
  });

export const enableAccount: Call<typeof staffEndpoints.enableAccount> = ({ params, request }, dependencies) =>
  changeStaff({ id: params.id, request }, dependencies, (trx, id) => setDisabled(trx, id, null));

/** One after the other, and never one's own: at least the one who acts last stays an admin. */
async function changeStaff(
  { id, request }: { readonly id: string; readonly request: FastifyRequest },
  dependencies: Dependencies,
  change: (trx: Transaction, id: UserId) => Promise<void>,
): Promise<Refused | undefined> {
  const admin = staffOf(request);
  const refused = await transactAs(admin, dependencies, async (trx): Promise<Refused | null> => {
    const found = await lockStaff(trx, id);
    const self = await lockStaff(trx, admin.id);
    if (self?.role !== 'admin' || self.disabledAt !== null) return notFound();
    if (found === undefined || found.role === 'investor') return notFound();
    if (found.id === admin.id)
      return refuse('forbidden', 'Nobody changes their own account. Ask another admin.');
    await change(trx, found.id);
    return null;
  });
  return refused ?? undefined;
}
