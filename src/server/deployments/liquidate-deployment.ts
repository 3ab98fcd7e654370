import { randomUUID } from 'node:crypto';
import type { Transaction } from 'kysely';
import type { deploymentsEndpoints } from '#contract/deployments.ts';
import type { SteeredDeployment } from '#records/deployments/deployments.ts';
import { requestLiquidation } from '#records/deployments/liquidation-requests.ts';
import { insertNotifications } from '#records/notifications/notifications-outbox.ts';
import { getStrategyName } from '#records/strategies/strategies.ts';
import type { Tables } from '#records/tables.ts';
import { liquidationDecisionDue } from '#rules/deployments/liquidation-decision.ts';
import type { NotificationId } from '#units/identifiers.ts';
import type { Call } from '../http/call.ts';
import { refuse } from '../http/refusal.ts';
import { steerDeployment } from './steer-deployment.ts';

/** Sells nothing by itself: it is a request that support approves or declines. Repeating it changes nothing. */
export const liquidateDeployment: Call<typeof deploymentsEndpoints.liquidateDeployment> = async (
  { params, caller },
  dependencies,
) => {
  const clock = await dependencies.marketData.clock();
  if (!clock.ok)
    return refuse('unavailable', 'The market clock is not responding. Please try again shortly.');
  const { now } = clock.value;
  const also = async (trx: Transaction<Tables>, deployment: SteeredDeployment) => {
    const decideBy = liquidationDecisionDue(dependencies.now());
    const requestId = await requestLiquidation(trx, { deploymentId: deployment.id, at: now, decideBy });
    if (requestId === null) return null;
    const strategyName = await getStrategyName(trx, deployment.strategyId);
    const kind = 'liquidation_requested';
    await insertNotifications(trx, [
      {
        id: randomUUID() as string as NotificationId,
        userId: caller.userId,
        deploymentId: deployment.id,
        facts: { kind, strategyName },
        cause: `${kind}:${requestId}`,
        at: now,
      },
    ]);
    return null;
  };
  return steerDeployment({ id: params.id, userId: caller.userId, command: 'liquidate', also }, dependencies);
};
