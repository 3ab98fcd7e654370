// An exit larger than the position at the broker is replaced by one of the available quantity. The rest is decided
// again, and waits.
import type { Quantity } from '#units/quantity.ts';
import { applyEvent } from '../deployment/apply-event.ts';
import type { DeploymentSnapshot } from '../deployment/deployment-snapshot.ts';
import type { OrderRecord } from './order-record.ts';
import type { StateTransition } from '../deployment/state-transition.ts';
import type { TradingMarket } from '../deployment/trading-market.ts';

/** For an order that has not left; null when no order replaces it and it does not change. */
export function resizeExit(
  snapshot: DeploymentSnapshot,
  { order, available }: { readonly order: OrderRecord; readonly available: Quantity },
  market: TradingMarket,
): StateTransition | null {
  const { clientOrderId, cause } = order.decided;
  const { now: at } = market;
  const event = { type: 'resize_exit', at, clientOrderId, cause, available } as const;
  const next = applyEvent(snapshot, event, market);
  const [instead] = next.orders;
  if (instead === undefined) return null;
  const reason = { code: 'resized', available: instead.order.quantity } as const;
  const update = { status: 'withdrawn', reason, endedAt: at } as const;
  return { ...next, orderUpdates: [{ id: order.id, update }] };
}
