import type { RefusedDecision } from '#contract/deployments.ts';
import type { RefusedOrder } from '#engine/order/order.ts';
import type { RefusalsRow } from '#records/deployments/receipts.ts';
import { refusalReason } from '#rules/reasons/refusal-reason.ts';

export function showRefusedDecision({ at, cause, refusals }: RefusalsRow): RefusedDecision {
  return { at: at.toISOString(), occasion: occasionOf(cause), items: refusals.map(showRefusal) };
}

/** The causes are in records/receipts.ts; any other cause is an event on a holding. */
function occasionOf(cause: string): RefusedDecision['occasion'] {
  if (cause === 'target') return 'strategy';
  if (cause === 'mark') return 'prices';
  const [event] = cause.split(':', 1);
  if (event === 'fill') return 'fill';
  if (event === 'order_ended' || event === 'resize_exit') return 'order_ended';
  return event === 'liquidate' ? 'closing' : 'holding';
}

function showRefusal(refused: RefusedOrder): RefusedDecision['items'][number] {
  return { ticker: refused.symbol, code: refused.code, reason: refusalReason(refused) };
}
