// The status that decisions use. A command is written before the trader carries it out: from that moment a request to
// pause counts as paused and a request to end as closing. A request never lets a deployment trade more than its state.
import {
  type DeploymentStatus,
  type RequestedStatus,
  tradingPermission,
  type TradingPermission,
} from './status.ts';

export type CommandedStatus = {
  readonly status: DeploymentStatus;
  readonly requestedStatus: RequestedStatus | null;
};

export function effectiveStatus({ status, requestedStatus }: CommandedStatus): DeploymentStatus {
  if (tradingPermission(status) === 'none') return status;
  if (requestedStatus === 'paused') return 'paused';
  if (status === 'stopping' || status === 'liquidating') return status;
  if (requestedStatus === 'stopped') return 'stopping';
  return requestedStatus === 'liquidated' ? 'liquidating' : status;
}

/** What may be traded now. */
export function effectivePermission(deployment: CommandedStatus): TradingPermission {
  return tradingPermission(effectiveStatus(deployment));
}

/** Whether it follows the targets of its strategy, and protective stops are placed for what it holds. */
export function followsStrategy(deployment: CommandedStatus): boolean {
  const status = effectiveStatus(deployment);
  return status === 'active' || status === 'frozen';
}

/** Whether all its positions are being closed, or will be as soon as the trader has read the command. */
export function isClosing(deployment: CommandedStatus): boolean {
  const status = effectiveStatus(deployment);
  return status === 'stopping' || status === 'liquidating';
}
