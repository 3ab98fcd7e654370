// The drawdown limit was passed: positions can still be sold, and nothing new is bought.
import type { CommandedStatus } from './effective-status.ts';
import { canMove } from './status.ts';
import type { StatusReason } from './status-reason.ts';

export type Frozen = CommandedStatus & { readonly reason: StatusReason };

/** Null in a state that cannot freeze. Of the requested states only an end remains. */
export function freeze({ status, requestedStatus }: CommandedStatus, limitPercent: number): Frozen | null {
  if (!canMove({ from: status, to: 'frozen', by: 'trader' })) return null;
  const ends = requestedStatus === 'stopped' || requestedStatus === 'liquidated';
  return {
    status: 'frozen',
    requestedStatus: ends ? requestedStatus : null,
    reason: { code: 'drawdown_limit', limitPercent },
  };
}
