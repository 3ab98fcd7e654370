import { lockUnpaidFee } from '#records/fees/unpaid-fees.ts';
import { openCharge } from '#records/payments/charges.ts';
import { PRODUCT_NAME } from '#rules/provider.ts';
import { chargeIdOf } from '../payments/charge-id.ts';
import { type PaymentDependencies, takeCharge, type Taken } from '../payments/settle-charge.ts';

/**
 * Charges what is owed of a bill and records it. The bill, and how often it was paid before, is the reference of the charge, so that
 * however often and by however many it is asked for, it is taken once. Paid too where it was before, and where nothing is owed.
 */
export async function payFee(
  { billId, isAutomatic }: { readonly billId: string; readonly isAutomatic: boolean },
  dependencies: PaymentDependencies,
): Promise<Taken> {
  const { records, payments, now } = dependencies;
  const fee = await records.database.transaction().execute(async (trx) => {
    const unpaid = await lockUnpaidFee(trx, billId);
    if (unpaid === undefined) return undefined;
    const id = unpaid.paidBefore === 0 ? billId : chargeIdOf(`${billId} ${unpaid.paidBefore}`);
    await openCharge(trx, {
      id,
      userId: unpaid.userId,
      purpose: 'fee',
      amount: unpaid.owed,
      vendor: payments.vendor,
      quote: null,
      billId,
      isAutomatic,
      openedAt: now(),
    });
    return { ...unpaid, id };
  });
  if (fee === undefined) return { taken: 'paid' };
  const description = `${PRODUCT_NAME} performance fee, ${fee.strategyName}, bill ${fee.number}`;
  return takeCharge(fee.id, description, dependencies);
}
