import type { Dependencies } from '../http/dependencies.ts';
import { insertFeePayment, lockUnpaidFee } from '#records/fees/unpaid-fees.ts';
import { PRODUCT_NAME } from '#rules/provider.ts';
import { refuse, type Refused } from '../http/refusal.ts';

/**
 * Charges what is owed of a bill and records it. The bill is the reference of the charge, so that one whose transaction was
 * lost is not taken twice when it is repeated. Null when it is paid, now or before, and where nothing is owed.
 */
export async function payFee(
  { billId, isAutomatic }: { readonly billId: string; readonly isAutomatic: boolean },
  { records, payments, now }: Pick<Dependencies, 'records' | 'payments' | 'now'>,
): Promise<Refused | null> {
  return records.database.transaction().execute(async (trx) => {
    const fee = await lockUnpaidFee(trx, billId);
    if (fee === undefined) return null;
    const charged = await payments.charge({
      reference: fee.billId,
      userId: fee.userId,
      amount: fee.owed,
      currency: 'USD',
      description: `${PRODUCT_NAME} performance fee, ${fee.strategyName}, bill ${fee.number}`,
    });
    if (charged.outcome === 'declined') return refuse('payment_declined', charged.reason);
    if (charged.outcome === 'unavailable') {
      return refuse('unavailable', 'The payment service is not responding. Please try again.');
    }
    await insertFeePayment(trx, {
      billId: fee.billId,
      amount: fee.owed,
      vendor: payments.vendor,
      vendorReference: charged.vendorReference,
      isAutomatic,
      paidAt: now(),
    });
    return null;
  });
}
