import type { RefusedDecision } from '#contract/deployments.ts';
import type { RefusedOrder } from '#engine/order/order.ts';
import type { RefusalsRow } from '#records/deployments/receipts.ts';

export function showRefusedDecision({ at, cause, refusals }: RefusalsRow): RefusedDecision {
  return { at: at.toISOString(), occasion: occasionOf(cause), items: refusals.map(showRefusal) };
}

/** The causes are in records/receipts.ts; what is none of the others is something that happened to a holding. */
function occasionOf(cause: string): RefusedDecision['occasion'] {
  if (cause === 'target') return 'strategy';
  if (cause === 'mark') return 'prices';
  const [event] = cause.split(':', 1);
  if (event === 'fill') return 'fill';
  if (event === 'order_ended' || event === 'exit_cut') return 'order_ended';
  return event === 'liquidate' ? 'closing' : 'holding';
}

function showRefusal({ symbol, code, reason }: RefusedOrder): RefusedDecision['items'][number] {
  const named = `${symbol}: `;
  const sentence = reason.startsWith(named) ? reason.slice(named.length) : reason;
  return { ticker: symbol, code, reason: sentence.charAt(0).toUpperCase() + sentence.slice(1) };
}
