import type { feesEndpoints } from '#contract/fees.ts';
import { findOwnFeeBill } from '#records/fees/own-fee-bills.ts';
import type { Call } from '../http/call.ts';
import { notFound } from '../http/refusal.ts';
import { describeFile } from '../answers/describe-file.ts';
import { feeBillsCsv } from './fee-bills-csv.ts';
import { showFeeBill } from './show-fee-bill.ts';

export const downloadFeeBill: Call<typeof feesEndpoints.downloadFeeBill> = async (
  { params, caller, reply },
  { records },
) => {
  const bill = await findOwnFeeBill(records.database, { id: params.id, userId: caller.userId });
  if (bill === undefined) return notFound();
  describeFile(reply, `performance-fee-${bill.number}.csv`);
  return feeBillsCsv([showFeeBill(bill)]);
};
