// What names the place of an order in a trace.
import { type Kysely, sql } from 'kysely';
import type { TracedOrder } from '#ports/tracing.ts';
import type { OrderId } from '#units/identifiers.ts';
import { idList } from '../postgres/id-list.ts';
import type { Tables } from '../tables.ts';

export async function findTracedOrders(
  database: Kysely<Tables>,
  ids: readonly OrderId[],
): Promise<ReadonlyMap<OrderId, TracedOrder>> {
  const rows = await database
    .selectFrom('orders')
    .select(['id', 'target_id', 'client_order_id', 'deployment_id', 'symbol', 'purpose'])
    .where('id', '=', sql<OrderId>`any(${idList([...ids])}::uuid[])`)
    .execute();
  return new Map(
    rows.map((row) => [
      row.id,
      {
        id: row.id,
        targetId: row.target_id,
        decided: {
          clientOrderId: row.client_order_id,
          deploymentId: row.deployment_id,
          symbol: row.symbol,
          purpose: row.purpose,
        },
      },
    ]),
  );
}
