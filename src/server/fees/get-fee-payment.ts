import type { feesEndpoints } from '#contract/fees.ts';
import { paysFeesAutomatically } from '#records/fees/unpaid-fees.ts';
import type { Call } from '../http/call.ts';

export const getFeePayment: Call<typeof feesEndpoints.getFeePayment> = async (
  { caller },
  { records, payments },
) => ({
  automatic: await paysFeesAutomatically(records.database, caller.userId),
  takes_money: payments.takesMoney,
});
