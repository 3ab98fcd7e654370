import { randomUUID } from 'node:crypto';
import type { Transaction } from 'kysely';
import type { deploymentsEndpoints } from '#contract/deployments.ts';
import type { SteeredDeployment } from '#records/deployments/deployments.ts';
import { acknowledgeTripwire as acknowledge } from '#records/expectation/tripwire-evidence.ts';
import { insertNotifications } from '#records/notifications/notifications-outbox.ts';
import { getStrategyName } from '#records/strategies/strategies.ts';
import type { Tables } from '#records/tables.ts';
import type { NotificationId } from '#units/identifiers.ts';
import type { Call } from '../http/call.ts';
import { steerDeployment } from './steer-deployment.ts';

/** Under the lock that the trader judges under: a day that it judges meanwhile counts before it, or after it. */
export const acknowledgeTripwire: Call<typeof deploymentsEndpoints.acknowledgeTripwire> = async (
  { params, caller: { userId } },
  dependencies,
) => {
  const clock = await dependencies.marketData.clock();
  const at = clock.ok ? clock.value.now : dependencies.now();
  const also = async (trx: Transaction<Tables>, { id, strategyId, tripwireState }: SteeredDeployment) => {
    if (tripwireState !== 'red') return null;
    await acknowledge(trx, { id, at });
    const noticeId = randomUUID() as string as NotificationId;
    const facts = {
      kind: 'tripwire_acknowledged',
      strategyName: await getStrategyName(trx, strategyId),
    } as const;
    const cause = `tripwire_acknowledged:${noticeId}`;
    await insertNotifications(trx, [{ id: noticeId, userId, deploymentId: id, facts, cause, at }]);
    return null;
  };
  return steerDeployment({ id: params.id, userId, command: 'settings', also }, dependencies);
};
