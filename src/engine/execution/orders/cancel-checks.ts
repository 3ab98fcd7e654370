// Whether an order that works at the broker must be cancelled: after a pause, a stop, a freeze, returns below the record, a
// newer target or a kill switch, at the end of its day where the broker would keep it, or because it blocks an exit; a protective stop when its position no longer wants it, or when another
// order of its position waits only for that.
import type { OrderId } from '#units/identifiers.ts';
import { type Instant, MINUTE_MS, SECOND_MS } from '#units/instant.ts';
import { msBetween, type WallInstant } from '#units/wall-instant.ts';
import { type BackOff, isTryDue } from '../back-off.ts';
import { effectivePermission, isClosing } from '../../lifecycle/effective-status.ts';
import type { ProtectiveStop } from '../../risk/protective-stop.ts';
import { addsExposure } from './exposure.ts';
import { isBeingCancelled, isProtective, type OpenOrder } from './open-order.ts';
import { isStopOutdated } from '../stops/protective-stops.ts';
import type { TradingSituation } from './submit-checks.ts';

export type CancelSnapshot = {
  readonly order: OpenOrder & { readonly targetId: unknown };
  readonly deployment: Omit<TradingSituation, 'allowsShort'>;
  /** The kill switch that is on for it. */
  readonly halt: { readonly cancelsWorking: boolean } | null;
  readonly agreementSigned: boolean;
  /** When the newest target of its strategy that moves weights was decided. */
  readonly rebalancedAt: Instant | null;
  /** Whether an exit of the account waits for it. */
  readonly blocksExit: boolean;
  /** Whether a stop of the account has waited for it too long: its target is tried again at a newer price. */
  readonly keepsStopWaiting: boolean;
  /** Whether the broker keeps it beyond its day, which is over. */
  readonly isDayOver: boolean;
  /** For a stop: whether an order waits only for this stop, of its position or, where stops are kept apart, across it. */
  readonly blocksPosition: boolean;
  /** For a stop: whether it would close more than the account holds. */
  readonly isOversized: boolean;
  /** For a stop: whether the broker's planned interruption begins soon. It could not be seen after that. */
  readonly isResetNear: boolean;
  /** For a stop: the one that its position wants now. */
  readonly wantedStop: ProtectiveStop | null;
};

export function mustCancel(snapshot: CancelSnapshot): boolean {
  const { order, halt, blocksExit, keepsStopWaiting, isDayOver } = snapshot;
  if (halt?.cancelsWorking === true || isBeingCancelled(order) || isDayOver) return true;
  return isProtective(order)
    ? mustCancelStop(snapshot)
    : isOutdated(snapshot) || blocksExit || keepsStopWaiting;
}

function mustCancelStop(snapshot: CancelSnapshot): boolean {
  const { order, deployment, halt, agreementSigned, blocksPosition, blocksExit, isOversized } = snapshot;
  if (isOversized) return true;
  const canBeReplaced = halt === null && agreementSigned && effectivePermission(deployment) !== 'none';
  if (canBeReplaced && (blocksPosition || blocksExit || snapshot.isResetNear)) return true;
  return isStopOutdated(order, snapshot.wantedStop, canBeReplaced);
}

/** For an order that is not a stop: whether its deployment no longer wants it. */
function isOutdated({ order, deployment, rebalancedAt }: CancelSnapshot): boolean {
  const { frozenAt, reaction, holdings } = deployment;
  const { purpose, symbol, decidedAt } = order.decided;
  if (effectivePermission(deployment) === 'none') return true;
  if (purpose !== 'rebalance') return false;
  if (isClosing(deployment)) return true;
  if (rebalancedAt !== null && order.targetId !== null && decidedAt < rebalancedAt) return true;
  const opensNothing = frozenAt !== null || reaction === 'exits_only';
  return opensNothing && addsExposure(order.decided, holdings.get(symbol)?.quantity ?? 0);
}

type Cancelled = Pick<OpenOrder, 'id' | 'brokerOrderId' | 'visibility' | 'cancelTries'>;

/**
 * Whether to send the request now. What the broker shows is asked to cancel again and again, ever more
 * rarely; what it does not show, a few times only.
 */
export function isCancelDue<Order extends Cancelled>(
  order: Order,
  unwanted: ReadonlySet<OrderId>,
  realNow: WallInstant,
): order is Order & { readonly brokerOrderId: string } {
  const { id, brokerOrderId, visibility, cancelTries } = order;
  if (brokerOrderId === null || !unwanted.has(id)) return false;
  if (visibility !== 'shown' && (cancelTries?.count ?? 0) >= UNSEEN_CANCELS_MAX) return false;
  return isTryDue(cancelTries ?? undefined, realNow, CANCEL_AGAIN);
}

/**
 * Whether looks since the first request should have shown the end: the order is a task for staff from then on. `speed`: see
 * marketSpeed. The broker of a fast market has as much of that market's time as one of a real market has.
 */
export function isCancelOverdue(
  { status, reason, cancelTries, cancelLooks }: OpenOrder,
  { realNow, speed }: { readonly realNow: WallInstant; readonly speed: number },
): boolean {
  if (status !== 'working' || reason?.code !== 'cancel_requested' || cancelTries === null) return false;
  if (cancelLooks < CANCEL_LOOKS) return false;
  return cancelTries.count > 1 || msBetween(cancelTries.lastAt, realNow) * speed >= CANCEL_AGAIN.firstMs;
}

/** Looks at the broker, one a tick, that a cancellation may take. */
export const CANCEL_LOOKS = 2;

/** Of its market's time: how long a position stays without its stop for an order of another deployment. */
export const STOP_WAITS_MS = 5 * MINUTE_MS;

const CANCEL_AGAIN: BackOff = { firstMs: 15 * SECOND_MS, maxMs: 10 * MINUTE_MS };
const UNSEEN_CANCELS_MAX = 6;
