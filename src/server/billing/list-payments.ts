import type { billingEndpoints } from '#contract/billing.ts';
import { listPayments as list } from '#records/billing/payments.ts';
import type { Call } from '../http/call.ts';
import { showPayment } from './show-payment.ts';

export const listPayments: Call<typeof billingEndpoints.listPayments> = async ({ caller }, { records }) =>
  (await list(records.database, caller.userId)).map(showPayment);
