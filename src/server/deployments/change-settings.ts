import { randomUUID } from 'node:crypto';
import type { Transaction } from 'kysely';
import type { Deployment, deploymentsEndpoints } from '#contract/deployments.ts';
import { changeSettings as change, type SteeredDeployment } from '#records/deployments/deployments.ts';
import { insertNotifications } from '#records/notifications/notifications-outbox.ts';
import { getStrategyName } from '#records/strategies/strategies.ts';
import type { Tables } from '#records/tables.ts';
import { checkChangedSettings } from '#rules/deployments/check-settings.ts';
import type { TripwireChoice } from '#engine/risk/tripwire.ts';
import type { DisconnectPolicy, DisconnectChoice } from '#engine/lifecycle/disconnect-policy.ts';
import {
  checkDisconnectPolicy,
  DEFAULT_DISCONNECT_POLICY,
} from '#rules/deployments/disconnect-policy-text.ts';
import type { DeploymentSettings } from '#rules/deployments/setting-ranges.ts';
import type { NotificationId, UserId } from '#units/identifiers.ts';
import type { Call } from '../http/call.ts';
import type { Dependencies } from '../http/dependencies.ts';
import { refuse, type Refused } from '../http/refusal.ts';
import { steerDeployment } from './steer-deployment.ts';

type Change = Partial<DeploymentSettings> & {
  readonly disconnect_choice?: DisconnectChoice | undefined;
  readonly disconnect_minutes?: number | undefined;
  readonly tripwire_choice?: TripwireChoice | undefined;
};

export const changeSettings: Call<typeof deploymentsEndpoints.changeDeploymentSettings> = (
  { params, body, caller },
  dependencies,
) => changeOwn({ id: params.id, userId: caller.userId, sent: body }, dependencies);

export const changeDeployment: Call<typeof deploymentsEndpoints.changeDeployment> = (
  { params, body, caller },
  dependencies,
) => changeOwn({ id: params.id, userId: caller.userId, sent: body }, dependencies);

async function changeOwn(
  { id, userId, sent }: { readonly id: string; readonly userId: UserId; readonly sent: Change },
  dependencies: Dependencies,
): Promise<Deployment | Refused> {
  const clock = await dependencies.marketData.clock();
  const at = clock.ok ? clock.value.now : dependencies.now();
  const also = async (trx: Transaction<Tables>, deployment: SteeredDeployment) => {
    const disconnectPolicy = changedDisconnectPolicy(deployment.disconnectPolicy, sent);
    const problem =
      checkChangedSettings(sent, deployment.settings)[0] ?? checkDisconnectPolicy(disconnectPolicy);
    if (problem) return refuse('out_of_range', problem.message, { field: problem.field });
    const settings = merged(deployment.settings, sent);
    const tripwireChoice = sent.tripwire_choice ?? deployment.tripwireChoice;
    await change(trx, { id: deployment.id, settings, disconnectPolicy, tripwireChoice });
    const changes = LIMITS.flatMap((limit) => {
      const [from, to] = [deployment.settings[limit], settings[limit]];
      return from === to ? [] : [{ limit, from, to }];
    });
    if (changes.length === 0) return null;
    const strategyName = await getStrategyName(trx, deployment.strategyId);
    const noticeId = randomUUID() as string as NotificationId;
    const facts = { kind: 'limits_changed', strategyName, changes } as const;
    const about = { userId, deploymentId: deployment.id, cause: `limits_changed:${noticeId}`, at };
    await insertNotifications(trx, [{ id: noticeId, facts, ...about }]);
    return null;
  };
  return steerDeployment({ id, userId, command: 'settings', also }, dependencies);
}

const LIMITS = ['stop_loss_percentage', 'max_allocation_per_trade', 'freeze_on_drawdown'] as const;

/** A choice without a duration gets the default. */
function changedDisconnectPolicy(stored: DisconnectPolicy, sent: Change): DisconnectPolicy {
  return {
    choice: sent.disconnect_choice ?? stored.choice,
    minutes: sent.disconnect_minutes ?? (stored.minutes || DEFAULT_DISCONNECT_POLICY.minutes),
  };
}

function merged(stored: DeploymentSettings, sent: Change): DeploymentSettings {
  return {
    stop_loss_percentage: sent.stop_loss_percentage ?? stored.stop_loss_percentage,
    max_allocation_per_trade: sent.max_allocation_per_trade ?? stored.max_allocation_per_trade,
    freeze_on_drawdown: sent.freeze_on_drawdown ?? stored.freeze_on_drawdown,
  };
}
