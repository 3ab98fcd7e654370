// A deployment that keeps failing is quarantined until a person has looked, so that no other waits for it.
import type { LifecycleTransition } from './advance.ts';
import type { CommandedStatus } from './effective-status.ts';
import { canMove } from './status.ts';
import type { FailingTask } from './status-reason.ts';

/** After this many consecutive failures of one task the circuit breaker opens. */
const FAILURES_MAX = 5;

/** Called after each failure: true once per series. */
export function opensBreaker(failuresInARow: number): boolean {
  return failuresInARow === FAILURES_MAX;
}

/** Null when it has ended or is quarantined already. */
export function quarantine(
  { status, requestedStatus }: CommandedStatus,
  failing: FailingTask,
): LifecycleTransition | null {
  if (!canMove({ from: status, to: 'failed', by: 'trader' })) return null;
  return {
    status: 'failed',
    requestedStatus,
    reason: { code: 'quarantined', failing },
    withdrawal: null,
    effect: null,
    notice: { kind: 'failed', failing },
  };
}
