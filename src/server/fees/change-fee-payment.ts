import type { feesEndpoints } from '#contract/fees.ts';
import { changeFeePayment as change } from '#records/fees/unpaid-fees.ts';
import type { Call } from '../http/call.ts';
import { showFeePayment } from './get-fee-payment.ts';

export const changeFeePayment: Call<typeof feesEndpoints.changeFeePayment> = async (
  { body, caller },
  dependencies,
) => {
  await change(dependencies.records.database, caller.userId, body.automatic);
  return showFeePayment(caller.userId, dependencies);
};
