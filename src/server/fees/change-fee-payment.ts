import type { feesEndpoints } from '#contract/fees.ts';
import { changeFeePayment as change } from '#records/fees/unpaid-fees.ts';
import type { Call } from '../http/call.ts';

export const changeFeePayment: Call<typeof feesEndpoints.changeFeePayment> = async (
  { body, caller },
  { records, payments },
) => {
  await change(records.database, caller.userId, body.automatic);
  return { automatic: body.automatic, takes_money: payments.takesMoney };
};
