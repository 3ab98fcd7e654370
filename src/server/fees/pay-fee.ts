import { lockUnpaidFee } from '#records/fees/unpaid-fees.ts';
import { openCharge } from '#records/payments/charges.ts';
import { PRODUCT_NAME } from '#rules/provider.ts';
import { type PaymentDependencies, takeCharge, type Taken } from '../payments/settle-charge.ts';

/**
 * Charges what is owed of a bill and records it. The bill is the reference of the charge, so that however often and by however
 * many it is asked for, it is taken once. Paid too where it was before, and where nothing is owed.
 */
export async function payFee(
  { billId, isAutomatic }: { readonly billId: string; readonly isAutomatic: boolean },
  dependencies: PaymentDependencies,
): Promise<Taken> {
  const { records, payments, now } = dependencies;
  const fee = await records.database.transaction().execute(async (trx) => {
    const unpaid = await lockUnpaidFee(trx, billId);
    if (unpaid === undefined) return undefined;
    await openCharge(trx, {
      id: billId,
      userId: unpaid.userId,
      purpose: 'fee',
      amount: unpaid.owed,
      vendor: payments.vendor,
      quote: null,
      isAutomatic,
      openedAt: now(),
    });
    return unpaid;
  });
  if (fee === undefined) return { taken: 'paid' };
  const description = `${PRODUCT_NAME} performance fee, ${fee.strategyName}, bill ${fee.number}`;
  return takeCharge(billId, description, dependencies);
}
