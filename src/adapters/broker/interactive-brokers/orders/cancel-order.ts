import type { CancelResult } from '#ports/broker.ts';
import type { BrokerAccountId } from '#units/identifiers.ts';
import { asText, type Fields } from '../../answer-fields.ts';
import { bodyOf } from '../../exchange.ts';
import type { Connection } from '../connection.ts';
import { errorText, failureOf } from '../failure-of.ts';
import type { Brokerage } from '../inner-session/brokerage.ts';

/** With these an error text is the vendor's answer to the request; 200 is the most common. */
const REFUSES: ReadonlySet<number> = new Set([200, 400, 404, 422]);

export async function cancelOrder(
  { connection, brokerage }: { readonly connection: Connection; readonly brokerage: Brokerage },
  { accountId, brokerOrderId }: { readonly accountId: BrokerAccountId; readonly brokerOrderId: string },
): Promise<CancelResult> {
  const selected = await brokerage.select(accountId, 'cancel');
  if (selected.outcome === 'failed') return { outcome: 'unknown', reason: selected.reason };
  const result = await connection.query({
    method: 'DELETE',
    path: `/iserver/account/${accountId}/order/${encodeURIComponent(brokerOrderId)}`,
    priority: 'cancel',
  });
  if (result.kind !== 'answered') return { outcome: 'unknown', reason: result.reason };
  const said = errorText(result);
  if (said && REFUSES.has(result.status)) return { outcome: 'refused', reason: said };
  const failure = failureOf(result);
  if (failure || said) return { outcome: 'unknown', reason: failure?.reason ?? said ?? '' };
  const first: unknown = Array.isArray(result.body) ? result.body[0] : bodyOf(result);
  if (typeof first === 'object' && first !== null && 'msg' in first) {
    const other = asText((first as Fields).order_id);
    if (other === null || other === brokerOrderId) return { outcome: 'requested' };
  }
  return { outcome: 'unknown', reason: 'the broker answered with something that is no cancel answer' };
}
