import { randomUUID } from 'node:crypto';
import { applyCommand } from '#engine/lifecycle/apply-command.ts';
import { lockOwnDeployment, requestStatus } from '#records/deployments/deployments.ts';
import { listOwnDeployments } from '#records/fees/unpaid-fees.ts';
import { insertNotifications } from '#records/notifications/notifications-outbox.ts';
import type { Transaction } from '#records/postgres/database.ts';
import { getStrategyName } from '#records/strategies/strategies.ts';
import type { NotificationId, UserId } from '#units/identifiers.ts';
import type { Instant } from '#units/instant.ts';

/** Pauses everything of a client and sells nothing; the gate of unpaid fees keeps it paused until they have paid. */
export async function pauseUnpaid(
  trx: Transaction,
  userId: UserId,
  { because, at }: { readonly because: string; readonly at: Instant },
): Promise<void> {
  for (const id of await listOwnDeployments(trx, userId)) {
    const deployment = await lockOwnDeployment(trx, { id, userId });
    const outcome = deployment && applyCommand('pause', deployment);
    if (!outcome?.ok || outcome.requestedStatus === deployment?.requestedStatus) continue;
    await requestStatus(trx, { id, status: outcome.requestedStatus });
    const strategyName = await getStrategyName(trx, deployment!.strategyId);
    const kind = 'unpaid_closed';
    await insertNotifications(trx, [
      {
        id: randomUUID() as string as NotificationId,
        userId,
        deploymentId: id,
        facts: { kind, strategyName, because },
        cause: `${kind}:${id}:${at}`,
        at,
      },
    ]);
  }
}
