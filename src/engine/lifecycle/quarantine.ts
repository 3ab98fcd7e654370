// A deployment that keeps failing is quarantined until a person has looked, so that no other waits for it.
import type { LifecycleTransition } from './advance.ts';
import type { CommandedStatus } from './effective-status.ts';
import { canMove, type DeploymentStatus } from './status.ts';
import { type FailingTask, type OpenOrder, type StatusReason, stillAtBroker } from './status-reason.ts';

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
    reason: { code: 'quarantined', failing, from: status },
    withdrawal: null,
    effect: null,
    notice: { kind: 'failed', failing },
  };
}

export type Quarantined = CommandedStatus & {
  readonly reason: StatusReason | null;
  readonly openOrders: readonly OpenOrder[];
  readonly drawdownLimitPercent: number;
};

/**
 * The end of a quarantine that two people have agreed on; null when there is none. What was closing goes on closing, and a freeze
 * stays one. One that traded, or was about to, is paused: its owner resumes it.
 */
export function release({
  status,
  requestedStatus,
  reason,
  openOrders,
  drawdownLimitPercent,
}: Quarantined): LifecycleTransition | null {
  if (status !== 'failed' || reason?.code !== 'quarantined') return null;
  const to = releasedStatus(reason.from);
  if (to === null) return null;
  const atBroker = stillAtBroker(openOrders);
  const stays = { requestedStatus, withdrawal: null, effect: null };
  switch (to) {
    case 'frozen':
      return {
        ...stays,
        status: to,
        reason: { code: 'drawdown_limit', limitPercent: drawdownLimitPercent },
        notice: null,
      };
    case 'paused': {
      const keepsStops = openOrders.some((one) => one.status === 'working' && one.purpose === 'protective');
      return {
        ...stays,
        status: to,
        reason: { code: 'paused', keepsStops, atBroker },
        notice: { kind: 'paused', atBroker },
      };
    }
    default:
      return { ...stays, status: to, reason: { code: 'closing', atBroker }, notice: null };
  }
}

/** Null for what is no state to come back to. */
export function releasedStatus(
  from: DeploymentStatus,
): 'paused' | 'frozen' | 'stopping' | 'liquidating' | null {
  if (from === 'pending' || from === 'active' || from === 'paused') return 'paused';
  return from === 'frozen' || from === 'stopping' || from === 'liquidating' ? from : null;
}
