// Judges a command before it is written: the requested state, or why it is refused. The trader carries it out, see
// advance.ts.
import { canMove, type DeploymentStatus, hasEnded, type RequestedStatus } from './status.ts';
import type { CommandedStatus } from './effective-status.ts';

/** The commands that a deployment's owner is offered, each where it can succeed (specification, section 2). */
export const DEPLOYMENT_COMMANDS = ['pause', 'resume', 'settings', 'liquidate', 'stop'] as const;
export type DeploymentCommand = (typeof DEPLOYMENT_COMMANDS)[number];

export type CommandRefusal =
  | { readonly code: 'already_trading' | 'already_paused' | 'liquidation_approved' }
  /** It has begun to trade, so its record is kept. */
  | { readonly code: 'has_begun' }
  | { readonly code: 'not_in_this_state'; readonly status: DeploymentStatus };

export type CommandOutcome =
  /** The requested state to write; null takes an earlier command back, or requests nothing. */
  | { readonly ok: true; readonly requestedStatus: RequestedStatus | null }
  | { readonly ok: false; readonly refusal: CommandRefusal };

/**
 * 'withdraw' ends a deployment that has not begun. 'liquidate' only asks support, whose approval is the command;
 * 'settings' moves nothing. Both leave the requested status unchanged.
 */
export function applyCommand(
  command: DeploymentCommand | 'withdraw',
  deployment: CommandedStatus,
): CommandOutcome {
  const { status, requestedStatus } = deployment;
  // Support's decision holds until the trader has carried it out.
  if (requestedStatus === 'liquidated') return refused({ code: 'liquidation_approved' });
  // A pause that has not happened yet is taken back.
  if (command === 'resume' && status === 'active' && requestedStatus === 'paused') return requests(null);
  const refusal = command === 'withdraw' ? withdrawRefusal(status) : commandRefusal(command, status);
  if (refusal !== null) return refused(refusal);
  switch (command) {
    case 'pause':
      return requests('paused');
    case 'resume':
      return requests('active');
    case 'stop':
    case 'withdraw':
      return requests('stopped');
    case 'liquidate':
    case 'settings':
      return requests(requestedStatus);
    default:
      return command satisfies never;
  }
}

/** The commands that can succeed in this state. */
export function offeredCommands(status: DeploymentStatus): readonly DeploymentCommand[] {
  return DEPLOYMENT_COMMANDS.filter((command) => isOffered(command, status));
}

/** Null when the command is offered. */
export function commandRefusal(command: DeploymentCommand, status: DeploymentStatus): CommandRefusal | null {
  if (isOffered(command, status)) return null;
  if (command === 'resume' && status === 'active') return { code: 'already_trading' };
  if (command === 'pause' && status === 'paused') return { code: 'already_paused' };
  return { code: 'not_in_this_state', status };
}

function withdrawRefusal(status: DeploymentStatus): CommandRefusal | null {
  return status === 'pending' ? null : { code: 'has_begun' };
}

function isOffered(command: DeploymentCommand, status: DeploymentStatus): boolean {
  switch (command) {
    case 'pause':
      return canMove({ from: status, to: 'paused', by: 'client' });
    case 'resume':
      return canMove({ from: status, to: 'active', by: 'client' });
    case 'settings':
      return status === 'pending' || status === 'active' || status === 'paused' || status === 'frozen';
    case 'liquidate':
      // Support approves it (see status.ts), so it is offered while there may be something to sell.
      return canMove({ from: status, to: 'liquidating', by: 'support' });
    case 'stop':
      return (
        !hasEnded(status) &&
        (canMove({ from: status, to: 'stopping', by: 'client' }) ||
          canMove({ from: status, to: 'stopped', by: 'client' }))
      );
    default:
      return command satisfies never;
  }
}

function requests(requestedStatus: RequestedStatus | null): CommandOutcome {
  return { ok: true, requestedStatus };
}

function refused(refusal: CommandRefusal): CommandOutcome {
  return { ok: false, refusal };
}
