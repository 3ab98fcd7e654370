import type { billingEndpoints } from '#contract/billing.ts';
import { findOwnPayment } from '#records/billing/payments.ts';
import type { Call } from '../http/call.ts';
import { notFound } from '../http/refusal.ts';
import { showPayment } from './show-payment.ts';

export const getPayment: Call<typeof billingEndpoints.getPayment> = async (
  { params, caller },
  { records },
) => {
  const payment = await findOwnPayment(records.database, { id: params.id, userId: caller.userId });
  return payment ? showPayment(payment) : notFound();
};
