import { isoText } from '#units/instant.ts';
import type { OrderDraft } from '../order/order.ts';

type Decided = Pick<OrderDraft, 'purpose' | 'cause' | 'decidedAt'>;

/**
 * Names the decision of a deployment that an order belongs to: all orders of one target are of one decision, whenever
 * they could be placed. Anything else is decided at a moment.
 */
export function decisionKey({ purpose, cause, decidedAt }: Decided): string {
  return purpose === 'rebalance' ? `target:${cause}` : `${purpose}:${isoText(decidedAt)}`;
}
