import { randomUUID } from 'node:crypto';
import { bookPlan } from '#records/billing/book-plan.ts';
import { lockPerson } from '#records/billing/subscriptions.ts';
import { insertFeePayment } from '#records/fees/unpaid-fees.ts';
import { type KeptCharge, lockCharge, payCharge } from '#records/payments/charges.ts';
import type { PlanQuote } from '#rules/billing/plan-quote.ts';
import { agreeRefund } from '#records/payments/refunds.ts';
import type { Micro } from '#units/money.ts';
import type { Dependencies } from '../http/dependencies.ts';
import { refundTwicePaid } from './refund-twice-paid.ts';

type Paid = { readonly vendorReference: string; readonly amount: Micro };

/** Books what the vendor says is paid, once, however many learn of it. */
export async function bookCharge(
  { id, userId }: Pick<KeptCharge, 'id' | 'userId'>,
  { vendorReference, amount }: Paid,
  { records, now }: Pick<Dependencies, 'records' | 'now'>,
): Promise<void> {
  const at = now();
  await records.database.transaction().execute(async (trx) => {
    await lockPerson(trx, userId);
    const charge = await lockCharge(trx, id);
    if (charge === undefined || charge.status === 'paid') return;
    await payCharge(trx, id, { vendorReference, amount, at });
    if (charge.billId !== null) {
      const { billId, vendor, isAutomatic } = charge;
      await insertFeePayment(trx, { id, billId, amount, vendor, vendorReference, isAutomatic, paidAt: at });
      // Its bank had given back an earlier payment meanwhile.
      return refundTwicePaid(trx, { billId, at });
    }
    // Given up before the vendor took it: what it was to buy may be bought otherwise by now.
    if (charge.status === 'withdrawn')
      return agreeRefund(trx, {
        id: randomUUID(),
        chargeId: id,
        amount,
        because: PAID_TOO_LATE,
        agreedAt: at,
      });
    const { vendor } = charge;
    return bookPlan(trx, {
      id,
      userId,
      quote: charge.quote as PlanQuote,
      vendor,
      vendorReference,
      paidAt: at,
    });
  });
}

const PAID_TOO_LATE = 'it was paid after it had been given up';
