// Which actions a deployment offers its owner in each state (specification, section 2, deployment detail: Pause when
// active, Resume otherwise, Settings, Liquidate). Promises no dead control: what cannot succeed is not offered, and
// a refusal says why.
import { canMove, type DeploymentStatus, hasEnded } from '#engine/lifecycle/status.ts';

export const DEPLOYMENT_ACTIONS = ['pause', 'resume', 'settings', 'liquidate', 'stop'] as const;
export type DeploymentAction = (typeof DEPLOYMENT_ACTIONS)[number];

/** The actions that the owner is offered. */
export function offeredActions(status: DeploymentStatus): readonly DeploymentAction[] {
  return DEPLOYMENT_ACTIONS.filter((action) => isOffered(action, status));
}

/** Null when the action is offered, else the sentence that says why not. */
export function actionRefusal(action: DeploymentAction, status: DeploymentStatus): string | null {
  if (isOffered(action, status)) return null;
  if (action === 'resume' && status === 'active') return 'This strategy is already trading.';
  if (action === 'resume' && status === 'frozen') {
    return 'Trading is frozen because the drawdown limit was reached. A freeze is permanent: stop this deployment and start a new one.';
  }
  if (action === 'pause' && status === 'paused') return 'This strategy is already paused.';
  return STATE_SENTENCES[status];
}

function isOffered(action: DeploymentAction, status: DeploymentStatus): boolean {
  switch (action) {
    case 'pause':
      return canMove({ from: status, to: 'paused', by: 'client' });
    case 'resume':
      return canMove({ from: status, to: 'active', by: 'client' });
    case 'settings':
      return status === 'pending' || status === 'active' || status === 'paused' || status === 'frozen';
    case 'liquidate':
      // A request that support approves (see status.ts), so it is offered while there can be something to sell.
      return canMove({ from: status, to: 'liquidating', by: 'support' });
    case 'stop':
      return (
        !hasEnded(status) &&
        (canMove({ from: status, to: 'stopping', by: 'client' }) ||
          canMove({ from: status, to: 'stopped', by: 'client' }))
      );
    default:
      return action satisfies never;
  }
}

const STATE_SENTENCES: Readonly<Record<DeploymentStatus, string>> = {
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
