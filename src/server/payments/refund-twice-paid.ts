import { randomUUID } from 'node:crypto';
import { listTwicePaid } from '#records/fees/charged-back-bill.ts';
import { agreeRefund } from '#records/payments/refunds.ts';
import type { Transaction } from '#records/postgres/database.ts';
import type { Instant } from '#units/instant.ts';

/** A bill that was paid again before its first payment came back: what is beyond the fee goes back. The caller holds the lock of its person. */
export async function refundTwicePaid(
  trx: Transaction,
  { billId, at }: { readonly billId: string; readonly at: Instant },
): Promise<void> {
  for (const { chargeId, amount } of await listTwicePaid(trx, billId))
    await agreeRefund(trx, { id: randomUUID(), chargeId, amount, because: PAID_TWICE, agreedAt: at });
}

const PAID_TWICE = 'the same fee was paid twice';
