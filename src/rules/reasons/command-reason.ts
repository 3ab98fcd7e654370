// Why a command cannot be given in this state, as the owner of the deployment reads it.
import type { CommandRefusal } from '#engine/lifecycle/apply-command.ts';
import type { DeploymentStatus } from '#engine/lifecycle/status.ts';

export function commandReason(refusal: CommandRefusal): string {
  switch (refusal.code) {
    case 'already_trading':
      return 'This strategy is already trading.';
    case 'already_paused':
      return 'This strategy is already paused.';
    case 'liquidation_approved':
      return 'The liquidation is approved: the positions are about to be sold.';
    case 'has_begun':
      return 'Only a deployment that has not started trading can be deleted. Stop this one instead; its record is kept.';
    case 'not_in_this_state':
      return STATES[refusal.status];
    default:
      return refusal satisfies never;
  }
}

const STATES: Readonly<Record<DeploymentStatus, string>> = {
  pending: 'This deployment has not started trading yet.',
  active: 'This strategy is trading.',
  paused: 'This strategy is paused.',
  frozen: 'Trading is frozen because the drawdown limit was reached.',
  stopping: 'This deployment is being stopped: its positions are being sold.',
  liquidating: 'This deployment is being liquidated: its positions are being sold.',
  liquidated: 'This deployment was liquidated.',
  stopped: 'This deployment has been stopped.',
  failed: 'This deployment failed. You can stop it, which sells its remaining positions.',
};
