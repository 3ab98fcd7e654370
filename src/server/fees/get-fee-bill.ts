import type { feesEndpoints } from '#contract/fees.ts';
import { findOwnFeeBill } from '#records/fees/own-fee-bills.ts';
import type { Call } from '../http/call.ts';
import { notFound } from '../http/refusal.ts';
import { showFeeBill } from './show-fee-bill.ts';

export const getFeeBill: Call<typeof feesEndpoints.getFeeBill> = async ({ params, caller }, { records }) => {
  const bill = await findOwnFeeBill(records.database, { id: params.id, userId: caller.userId });
  return bill ? showFeeBill(bill) : notFound();
};
