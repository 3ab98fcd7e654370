// What requests and notices left open: charges whose answer was lost or that their payer never confirmed, and refunds that the
// vendor has not been asked for; disputes that are open; payers who have left. Every minute, by one worker of the fleet.
import { randomUUID } from 'node:crypto';
import { PaymentsUnavailable } from '#ports/payments.ts';
import { insertNotifications } from '#records/notifications/notifications-outbox.ts';
import { findHeartbeat } from '#records/operations/heartbeats.ts';
import { type KeptCharge, listOpenCharges } from '#records/payments/charges.ts';
import { listOpenDisputes } from '#records/payments/disputes.ts';
import { listClosedPayers } from '#records/payments/payers.ts';
import { endRefund, listAgreedRefunds, type RefundRecord } from '#records/payments/refunds.ts';
import type { NotificationId } from '#units/identifiers.ts';
import { DAY_MS, HOUR_MS, instant } from '#units/instant.ts';
import { askAboutCharge, IN_FLIGHT_MS, type PaymentDependencies, payerOf } from './settle-charge.ts';
import { settleDispute } from './settle-dispute.ts';

export async function reviewPayments(dependencies: PaymentDependencies): Promise<void> {
  const { records, payments, now } = dependencies;
  const at = now();
  const before = instant(at - IN_FLIGHT_MS);
  for (const charge of await listOpenCharges(records.database, { before, limit: AT_ONCE })) {
    const isOver = charge.openedAt <= at - CONFIRM_WITHIN_MS[charge.purpose];
    await askAboutCharge(charge, isOver ? 'give_up' : 'end', dependencies);
  }
  for (const refund of await listAgreedRefunds(records.database, AT_ONCE))
    await giveBack(refund, dependencies);
  // A notice may be lost; a decision is booked within a minute all the same.
  for (const id of await listOpenDisputes(records.database, { vendor: payments.vendor, limit: AT_ONCE }))
    await lookAtDispute(id, dependencies);
  // Until the vendor has said so, the next minute asks again.
  for (const userId of await listClosedPayers(records.database, { vendor: payments.vendor, limit: AT_ONCE }))
    await payments.erase(userId);
}

/** A plan is quoted by the day; a fee is owed anyway, and the payer may ask again. */
const CONFIRM_WITHIN_MS: Readonly<Record<KeptCharge['purpose'], number>> = { plan: HOUR_MS, fee: 3 * DAY_MS };

/** Without an answer the next look asks again. */
async function lookAtDispute(id: string, dependencies: PaymentDependencies): Promise<void> {
  try {
    await settleDispute(id, dependencies);
  } catch (error) {
    if (!(error instanceof PaymentsUnavailable)) throw error;
  }
}

/** Asked again until the vendor says that it is made, or that it never will be. Its client is told once. */
export async function giveBack(refund: RefundRecord, dependencies: PaymentDependencies): Promise<void> {
  const { records, payments, now } = dependencies;
  const { id, chargeId, amount, because, userId } = refund;
  const outcome = await payments.refund({ id, reference: chargeId, payer: payerOf(refund), amount });
  if (outcome.outcome === 'unavailable') return;
  const at = now();
  const [vendorReference, refusal] =
    outcome.outcome === 'made' ? [outcome.vendorReference, null] : [null, outcome.reason];
  await records.database.transaction().execute(async (trx) => {
    const isFirst = await endRefund(trx, id, { vendorReference, refusal, at });
    if (!isFirst || vendorReference === null) return;
    const marketAt = (await findHeartbeat(trx, 'trader'))?.marketAt ?? at;
    const kind = 'payment_refunded';
    await insertNotifications(trx, [
      {
        id: randomUUID() as string as NotificationId,
        userId,
        deploymentId: null,
        facts: { kind, amount, because },
        cause: `${kind}:${id}`,
        at: marketAt,
      },
    ]);
  });
}

const AT_ONCE = 200;
