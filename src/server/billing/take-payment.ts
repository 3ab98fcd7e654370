import type { Transaction } from 'kysely';
import { addPayment, type Payment } from '#records/billing/payments.ts';
import type { Tables } from '#records/tables.ts';
import { planOf } from '#rules/billing/plans.ts';
import { PRODUCT_NAME } from '#rules/provider.ts';
import type { Dependencies } from '../http/dependencies.ts';
import { refuse, type Refused } from '../http/refusal.ts';

type Wanted = Omit<Payment, 'vendor' | 'vendorReference'>;

/**
 * Charges and records the payment in the caller's transaction. The id is the charge's reference, so that a charge whose
 * transaction was lost is not taken twice when it is repeated.
 */
export async function takePayment(
  trx: Transaction<Tables>,
  wanted: Wanted,
  { payments }: Pick<Dependencies, 'payments'>,
): Promise<Refused | null> {
  let vendorReference: string | null = null;
  if (wanted.amount > 0) {
    const charged = await payments.charge({
      reference: wanted.id,
      userId: wanted.userId,
      amount: wanted.amount,
      currency: 'USD',
      description: `${PRODUCT_NAME} ${planOf(wanted.plan).name} plan, ${wanted.interval}`,
    });
    if (charged.outcome === 'declined') return refuse('payment_declined', charged.reason);
    if (charged.outcome === 'unavailable') {
      return refuse(
        'unavailable',
        'The payment service is not responding. Nothing was charged; please try again.',
      );
    }
    vendorReference = charged.vendorReference;
  }
  await addPayment(trx, { ...wanted, vendor: payments.vendor, vendorReference });
  return null;
}
