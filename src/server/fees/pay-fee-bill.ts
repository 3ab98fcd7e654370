import type { feesEndpoints } from '#contract/fees.ts';
import { findOwnFeeBill } from '#records/fees/own-fee-bills.ts';
import type { Call } from '../http/call.ts';
import { notFound } from '../http/refusal.ts';
import { payFee } from './pay-fee.ts';
import { showFeeBill } from './show-fee-bill.ts';

/** Repeating it charges nothing more, and answers the paid bill. */
export const payFeeBill: Call<typeof feesEndpoints.payFeeBill> = async ({ params, caller }, dependencies) => {
  const { database } = dependencies.records;
  const own = { id: params.id, userId: caller.userId };
  if ((await findOwnFeeBill(database, own)) === undefined) return notFound();
  const answer = await payFee({ billId: own.id, isAutomatic: false }, dependencies);
  if (answer.taken === 'refused') return answer.refused;
  const bill = await findOwnFeeBill(database, own);
  if (bill === undefined) return notFound();
  return { ...showFeeBill(bill), payment_page: answer.taken === 'to_confirm' ? answer.pageUrl : null };
};
