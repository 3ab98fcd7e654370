import type { feesEndpoints } from '#contract/fees.ts';
import { listOwnFeeBills } from '#records/fees/own-fee-bills.ts';
import type { Call } from '../http/call.ts';
import { describeFile } from '../answers/describe-file.ts';
import { feeBillsCsv } from './fee-bills-csv.ts';
import { showFeeBill } from './show-fee-bill.ts';

export const downloadFeeBills: Call<typeof feesEndpoints.downloadFeeBills> = async (
  { query: { deployment = null, limit }, caller, reply },
  { records },
) => {
  const asked = { userId: caller.userId, deploymentId: deployment, limit };
  const bills = await listOwnFeeBills(records.database, asked);
  describeFile(reply, 'performance-fees.csv');
  return feeBillsCsv(bills.map(showFeeBill));
};
