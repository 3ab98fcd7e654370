import { randomUUID } from 'node:crypto';
import { changeFeePayment, listUnpaidFees, type UnpaidFee } from '#records/fees/unpaid-fees.ts';
import { insertNotifications } from '#records/notifications/notifications-outbox.ts';
import { findHeartbeat } from '#records/operations/heartbeats.ts';
import { stageAt, type UnpaidStage, unpaidStage } from '#rules/fees/unpaid-fee.ts';
import type { NotificationId } from '#units/identifiers.ts';
import { type Instant, utcDate } from '#units/instant.ts';
import type { Dependencies } from '../http/dependencies.ts';
import type { PaymentDependencies } from '../payments/settle-charge.ts';
import { payFee } from './pay-fee.ts';

/**
 * Pays the bills that fell due and are paid by themselves, and reminds of the others. Each look repeats what an earlier one
 * did not finish: a payment is charged once, and one step of one bill is one notice.
 */
export async function collectFees(dependencies: PaymentDependencies): Promise<void> {
  const { database } = dependencies.records;
  const now = (await findHeartbeat(database, 'trader'))?.marketAt ?? null;
  if (now === null) return;
  for (const fee of await listUnpaidFees(database, { now, paysAutomatically: true, limit: AT_ONCE })) {
    const answer = await payFee({ billId: fee.billId, isAutomatic: true }, dependencies);
    if (answer.taken === 'paid') continue;
    // Nobody else is charged either: the next look asks again.
    if (answer.taken === 'refused' && answer.refused.code === 'unavailable') break;
    await leaveToOwner(fee, { ...dependencies, at: now });
  }
  for (const fee of await listUnpaidFees(database, { now, paysAutomatically: false, limit: AT_ONCE })) {
    const stage = unpaidStage(fee.dueAt, now);
    if (stage === null) continue;
    const reminder = reminderOf(fee, { stage, at: stageAt(stage, fee.dueAt) });
    // The notice and its mail.
    await database.transaction().execute((trx) => insertNotifications(trx, [reminder]));
  }
}

/** The owner pays their bills from now on, and is told why. */
async function leaveToOwner(
  fee: UnpaidFee,
  { records, at }: Pick<Dependencies, 'records'> & { readonly at: Instant },
): Promise<void> {
  await records.database.transaction().execute(async (trx) => {
    await changeFeePayment(trx, fee.userId, false);
    await insertNotifications(trx, [
      { ...noticeOf(fee, 'declined'), at, facts: { kind: 'fee_declined', ...namedIn(fee) } },
    ]);
  });
}

function reminderOf(fee: UnpaidFee, { stage, at }: { readonly stage: UnpaidStage; readonly at: Instant }) {
  const stopsOn = utcDate(stageAt('stopped', fee.dueAt));
  return {
    ...noticeOf(fee, stage),
    at,
    facts: { kind: 'fee_unpaid', ...namedIn(fee), stage, dueOn: utcDate(fee.dueAt), stopsOn },
  } as const;
}

/** Where a bank changed what was paid, each step comes again. */
function noticeOf({ billId, deploymentId, userId, changes }: UnpaidFee, step: string) {
  return {
    id: randomUUID() as NotificationId,
    userId,
    deploymentId,
    cause: `fee_unpaid:${billId}:${step}${changes === 0 ? '' : `:${changes}`}`,
  };
}

const namedIn = ({ strategyName, owed }: UnpaidFee) => ({ strategyName, owed });

/** Any beyond this limit wait for the next look. */
const AT_ONCE = 500;
