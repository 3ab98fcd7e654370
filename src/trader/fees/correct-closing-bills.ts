// Computes closing bills again whose deployments were booked on afterwards: a commission that was stated late, a corrected
// dividend, an adjustment. What the fee was too high is credited, and the owner notified.
import {
  type BillToCorrect,
  insertFeeCorrection,
  listBillsToCorrect,
  readBillsToCorrect,
} from '#records/fees/fee-corrections.ts';
import { lockForBilling } from '#records/fees/fee-bills.ts';
import { insertNotifications, type NewNotification } from '#records/notifications/notifications-outbox.ts';
import { type FeeCorrection, feeCorrection } from '#rules/fees/fee-correction.ts';
import type { DeploymentId, NotificationId } from '#units/identifiers.ts';
import { HOUR_MS, type Instant } from '#units/instant.ts';
import type { Transaction } from '#records/postgres/database.ts';
import { runInBatches } from '../rebalance/run-in-batches.ts';
import type { TradingContext } from '../trading-context.ts';

/** Looks once an hour of the trading clock: nobody waits for a credit by the minute. */
export async function correctClosingBills(
  context: TradingContext,
  memory: { correctedAt?: Instant },
): Promise<void> {
  const { now } = context;
  if (memory.correctedAt !== undefined && now - memory.correctedAt < HOUR_MS) return;
  const ids = await listBillsToCorrect(context.database, {
    shards: context.lease.shards,
    limit: CORRECTED_A_LOOK,
  });
  if (ids.length < CORRECTED_A_LOOK) memory.correctedAt = now;
  await runInBatches(context, {
    task: 'billing',
    ids,
    size: BATCH_SIZE,
    isTrading: false,
    work: (trx, batch) => correctBatch(trx, context, batch),
  });
}

async function correctBatch(
  trx: Transaction,
  { lease, now, newId }: TradingContext,
  ids: readonly DeploymentId[],
): Promise<void> {
  const deployments = await lockForBilling(trx, ids);
  await lease.fence(
    trx,
    deployments.map(({ connectionId }) => connectionId),
  );
  const owners = new Map(deployments.map((deployment) => [deployment.id, deployment]));
  for (const bill of await readBillsToCorrect(trx, ids)) {
    const correction = feeCorrection(bill);
    await insertFeeCorrection(trx, bill, { id: newId(), correction, at: now });
    const owner = owners.get(bill.deploymentId);
    if (owner === undefined || correction.credit === 0) continue;
    await insertNotifications(trx, [noticeOf(bill, correction, { ...owner, noticeId: newId(), at: now })]);
  }
}

function noticeOf(
  { deploymentId, number }: BillToCorrect,
  { credit, profit }: FeeCorrection,
  owner: Pick<Awaited<ReturnType<typeof lockForBilling>>[number], 'userId' | 'strategyName'> & {
    readonly noticeId: string;
    readonly at: Instant;
  },
): NewNotification {
  const kind = 'fee_credited';
  const { userId, strategyName, noticeId, at } = owner;
  return {
    id: noticeId as NotificationId,
    userId,
    deploymentId,
    facts: { kind, strategyName, credit, profit },
    cause: `${kind}:${deploymentId}:${number}`,
    at,
  };
}

const BATCH_SIZE = 100;
const CORRECTED_A_LOOK = 500;
