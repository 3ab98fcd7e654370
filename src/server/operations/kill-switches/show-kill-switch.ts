import type { KillSwitch } from '#contract/operations/kill-switch.ts';
import type { KillSwitch as KillSwitchRecord } from '#records/operations/kill-switches.ts';

export function showKillSwitch(killSwitch: KillSwitchRecord): KillSwitch {
  const { id, scope, target, name, cancelsWorking, because, setBy, setAt, deployments } = killSwitch;
  return {
    id,
    scope,
    target,
    name,
    cancels_orders: cancelsWorking,
    reason: because,
    set_by: setBy,
    set_at: setAt.toISOString(),
    deployments,
  };
}
