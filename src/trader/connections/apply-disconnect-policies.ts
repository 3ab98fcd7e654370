import { afterDisconnect } from '#engine/lifecycle/disconnect-policy.ts';
import { lockDisconnectPolicies, requestStatus } from '#records/deployments/deployments.ts';
import { insertNotifications, type NewNotification } from '#records/notifications/notifications-outbox.ts';
import type { Transaction } from '#records/postgres/database.ts';
import type { BrokerConnectionId, NotificationId } from '#units/identifiers.ts';
import type { TradingContext } from '../trading-context.ts';

/** The broker is fully read again: requests the owners' policy for a silence of this length, and notifies them. */
export async function applyDisconnectPolicies(
  trx: Transaction,
  { newId, now }: TradingContext,
  silence: { readonly connection: BrokerConnectionId; readonly minutes: number },
): Promise<void> {
  const { connection, minutes } = silence;
  const notices: NewNotification[] = [];
  const kind = 'broker_reconnected';
  for (const deployment of await lockDisconnectPolicies(trx, connection)) {
    const requested = afterDisconnect(deployment, deployment.policy, minutes);
    if (requested === null) continue;
    const { id: deploymentId, userId, strategyName } = deployment;
    await requestStatus(trx, { id: deploymentId, status: requested });
    notices.push({
      id: newId() as NotificationId,
      userId,
      deploymentId,
      facts: { kind, strategyName, unresponsiveMinutes: minutes, requested },
      cause: `${kind}:${deploymentId}:${now}`,
      at: now,
    });
  }
  await insertNotifications(trx, notices);
}
