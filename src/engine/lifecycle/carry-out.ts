// Turns a step of a deployment's life into a transition to be written: its status, what it begins or ends, the exits of
// all positions, and the notice to its owner.
import { applyEvent } from '../execution/deployment/apply-event.ts';
import type { DeploymentSnapshot } from '../execution/deployment/deployment-snapshot.ts';
import { equityMark } from '../execution/deployment/equity-mark.ts';
import { lifecycleNotice } from '../execution/deployment/notices.ts';
import { noTransition, type StateTransition } from '../execution/deployment/state-transition.ts';
import type { TradingDeployment } from '../execution/deployment/trading-deployment.ts';
import type { TradingMarket } from '../execution/deployment/trading-market.ts';
import type { Instant } from '#units/instant.ts';
import type { LifecycleSnapshot, LifecycleTransition } from './advance.ts';

/** The part of a deployment that its life cycle needs. */
export function lifecycleOf({ record, state, openOrders }: DeploymentSnapshot): LifecycleSnapshot {
  return {
    status: record.status,
    requestedStatus: record.requestedStatus,
    reason: record.reason,
    held: [...record.holdings.keys()],
    openOrders: openOrders.map(({ id, status, decided: { side, quantity, symbol, purpose } }) => ({
      id,
      status,
      side,
      quantity,
      symbol,
      purpose,
    })),
    busy: new Set(state.working.map(({ symbol }) => symbol)),
  };
}

export function carryOut(
  snapshot: DeploymentSnapshot,
  step: LifecycleTransition,
  market: TradingMarket,
): StateTransition {
  const next =
    step.effect === 'close_positions'
      ? closePositions(snapshot, market)
      : moveTo(snapshot.record, step, market);
  return { ...next, withdrawal: step.withdrawal };
}

function closePositions(snapshot: DeploymentSnapshot, market: TradingMarket): StateTransition {
  const { now: at } = market;
  // Who wants out gets out: at a price in doubt if there is no other.
  const marks = new Map([...market.doubted, ...market.marks]);
  const event = { type: 'liquidate', at, id: snapshot.record.status, marks } as const;
  return applyEvent(snapshot, event, { ...market, marks });
}

function moveTo(
  record: TradingDeployment,
  { status, requestedStatus, reason, effect, notice }: LifecycleTransition,
  market: TradingMarket,
): StateTransition {
  const { now } = market;
  const next = noTransition(record, now);
  const isSame =
    status === record.status && requestedStatus === record.requestedStatus && reason === record.reason;
  if (isSame) return next;
  const begins = effect === 'begin';
  const mark = begins ? equityMark(record, now, market) : null;
  return {
    ...next,
    after: {
      ...record,
      status,
      requestedStatus,
      reason,
      // One that never began follows none, unless its orders were found at the broker after a restore: they are not sized again.
      ...(((begins && record.status !== 'pending') || effect === 'release_target') && {
        appliedTargetId: null,
      }),
      ...(begins && { markedAt: now }),
      ...(begins && record.frozenAt !== null && liftFreeze(record, now)),
      ...(effect === 'end' && { endedAt: now }),
    },
    notices: notice === null ? [] : [lifecycleNotice(record, notice, now)],
    equityMarks: mark === null ? [] : [mark],
  };
}

/** The limit counts from today's value on: from the former peak it would be passed at once. */
function liftFreeze({ equity }: TradingDeployment, now: Instant) {
  return { frozenAt: null, freezeLiftedAt: now, peakEquity: equity };
}
