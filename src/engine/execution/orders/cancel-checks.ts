// Whether an order that works at the broker must be cancelled: after a pause, a stop, a freeze, a newer target or a
// kill switch, or because it blocks an exit; a protective stop when its position no longer wants it, or when another
// order of its position waits only for that.
import type { OrderId } from '#units/identifiers.ts';
import { type Instant, SECOND_MS } from '#units/instant.ts';
import { msBetween, type WallInstant } from '#units/wall-instant.ts';
import { effectivePermission, isClosing } from '../../lifecycle/effective-status.ts';
import type { ProtectiveStop } from '../../risk/protective-stop.ts';
import { addsExposure } from './exposure.ts';
import { isProtective, type OpenOrder } from './open-order.ts';
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
  /** For a stop: whether an order of its position waits only for this stop. */
  readonly blocksPosition: boolean;
  /** For a stop: whether it would close more than the account holds. */
  readonly isOversized: boolean;
  /** For a stop: the one that its position wants now. */
  readonly wantedStop: ProtectiveStop | null;
};

export function mustCancel(snapshot: CancelSnapshot): boolean {
  const { order, halt, blocksExit } = snapshot;
  if (halt?.cancelsWorking === true) return true;
  return isProtective(order) ? mustCancelStop(snapshot) : isOutdated(snapshot) || blocksExit;
}

function mustCancelStop(snapshot: CancelSnapshot): boolean {
  const { order, deployment, halt, agreementSigned, blocksPosition, blocksExit, isOversized } = snapshot;
  // Once requested, the cancellation is requested until the broker says that the order has ended.
  if (order.reason?.code === 'cancel_requested' || isOversized) return true;
  const canBeReplaced = halt === null && agreementSigned && effectivePermission(deployment) !== 'none';
  if (canBeReplaced && (blocksPosition || blocksExit)) return true;
  return isStopOutdated(order, snapshot.wantedStop, canBeReplaced);
}

/** For an order that is not a stop: whether its deployment no longer wants it. */
function isOutdated({ order, deployment, rebalancedAt }: CancelSnapshot): boolean {
  const { frozenAt, holdings } = deployment;
  const { purpose, symbol, decidedAt } = order.decided;
  if (effectivePermission(deployment) === 'none') return true;
  if (purpose !== 'rebalance') return false;
  if (isClosing(deployment)) return true;
  if (rebalancedAt !== null && order.targetId !== null && decidedAt < rebalancedAt) return true;
  return frozenAt !== null && addsExposure(order.decided, holdings.get(symbol)?.quantity ?? 0);
}

/** Whether to send the request now. `asked` is the time of the last request: a recent one is not repeated. */
export function isCancelDue<Order extends Pick<OpenOrder, 'id' | 'brokerOrderId'>>(
  order: Order,
  {
    unwanted,
    asked,
    realNow,
  }: {
    readonly unwanted: ReadonlySet<OrderId>;
    readonly asked: ReadonlyMap<OrderId, WallInstant>;
    readonly realNow: WallInstant;
  },
): order is Order & { readonly brokerOrderId: string } {
  if (order.brokerOrderId === null || !unwanted.has(order.id)) return false;
  const before = asked.get(order.id);
  return before === undefined || msBetween(before, realNow) >= ASK_AGAIN_MS;
}

const ASK_AGAIN_MS = 15 * SECOND_MS;
