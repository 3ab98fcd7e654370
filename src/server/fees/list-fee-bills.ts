import type { feesEndpoints } from '#contract/fees.ts';
import { listOwnFeeBills } from '#records/fees/own-fee-bills.ts';
import type { Call } from '../http/call.ts';
import { showFeeBill } from './show-fee-bill.ts';

export const listFeeBills: Call<typeof feesEndpoints.listFeeBills> = async (
  { query: { deployment = null, limit }, caller },
  { records },
) => {
  const bills = await listOwnFeeBills(records.database, {
    userId: caller.userId,
    deploymentId: deployment,
    limit,
  });
  return bills.map(showFeeBill);
};
