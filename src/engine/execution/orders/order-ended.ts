// An order has ended with something unfilled: cancelled, rejected, expired, or never sent. The engine may continue with
// what waited for it, and an unreached target is retried a limited number of times.
import { applyEvent } from '../deployment/apply-event.ts';
import type { DeploymentSnapshot } from '../deployment/deployment-snapshot.ts';
import { notFilledNotice } from '../deployment/notices.ts';
import { isProtective } from './open-order.ts';
import type { OrderRecord } from './order-record.ts';
import { type EndReason, endStatus, isRetried } from './order-reason.ts';
import type { StateTransition } from '../deployment/state-transition.ts';
import type { TradingMarket } from '../deployment/trading-market.ts';

export function orderEnded(
  snapshot: DeploymentSnapshot,
  ended: {
    readonly order: OrderRecord;
    readonly reason: EndReason;
    /** For a refused stop: whether the owner was notified of an earlier one of the same episode. */
    readonly isRepeated?: boolean;
  },
  market: TradingMarket,
): StateTransition {
  const { order, reason } = ended;
  const { now } = market;
  const status = endStatus(reason);
  const { clientOrderId } = order.decided;
  const next = applyEvent(snapshot, { type: 'order_ended', at: now, clientOrderId }, market);
  // A stop ends with each session and is placed again with the next: only the first refusal is news.
  const isNews =
    ended.isRepeated !== true && (status === 'rejected' || (status === 'expired' && !isProtective(order)));
  return {
    ...next,
    // A deployment that follows no target gets the newest one from the next fan-out.
    after: triesAgain(next, ended) ? { ...next.after, appliedTargetId: null } : next.after,
    orderUpdates: [{ id: order.id, update: { status, reason, endedAt: now } }],
    notices: isNews ? [...next.notices, notFilledNotice(snapshot.record, ended, now)] : next.notices,
  };
}

function triesAgain(
  { after }: StateTransition,
  { order, reason }: { readonly order: OrderRecord; readonly reason: EndReason },
): boolean {
  const { purpose, attempt } = order.decided;
  if (!isRetried(reason) || purpose !== 'rebalance') return false;
  // One that never left for the age of its price has used up no session.
  if (attempt >= ATTEMPTS_MAX && reason.code !== 'price_too_old') return false;
  return after.appliedTargetId === order.targetId;
}

/** One order a session: five sessions in which the price stayed beyond the collar. */
const ATTEMPTS_MAX = 5;
