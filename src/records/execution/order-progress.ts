// Changes of many orders at once: fills in one statement, all others one by one.
import { type Kysely, sql } from 'kysely';
import type { OrderTransition, OrderUpdate } from '#engine/execution/orders/order-record.ts';
import type { OrderId } from '#units/identifiers.ts';
import { isoText } from '#units/instant.ts';
import { quantityText } from '#units/quantity.ts';
import { idList } from '../postgres/id-list.ts';
import type { Tables } from '../tables.ts';
import { changeOrder, reasonParams } from './orders.ts';

/** Under the orders' locks. Of several changes of one order the fields of the last one count. */
export async function changeOrders(
  trx: Kysely<Tables>,
  transitions: readonly OrderTransition[],
): Promise<void> {
  const updates = new Map<OrderId, OrderUpdate>();
  for (const { id, update } of transitions) updates.set(id, { ...updates.get(id), ...update });
  const filled: FilledOrder[] = [];
  for (const [id, update] of updates) {
    if (isProgress(update)) filled.push({ ...update, id });
    else await changeOrder(trx, id, update);
  }
  await saveProgress(trx, filled);
}

type Progress = Required<Pick<OrderUpdate, (typeof PROGRESS)[number]>> & Pick<OrderUpdate, 'endedAt'>;
type FilledOrder = Progress & { readonly id: OrderId };

/** What a fill changes, and whether it is all of the order. */
const PROGRESS = [
  'status',
  'reason',
  'brokerOrderId',
  'filled',
  'filledValue',
  'realized',
] as const satisfies readonly (keyof OrderUpdate)[];

function isProgress(update: OrderUpdate): update is Progress {
  const { endedAt: _, ...changed } = update;
  return (
    update.status !== 'unknown' &&
    Object.keys(changed).length === PROGRESS.length &&
    PROGRESS.every((field) => changed[field] !== undefined)
  );
}

async function saveProgress(trx: Kysely<Tables>, orders: readonly FilledOrder[]): Promise<void> {
  if (orders.length === 0) return;
  const column = <Value>(pick: (order: FilledOrder) => Value) => orders.map(pick);
  await sql`
    update orders o set status = f.status, reason_code = f.reason_code, reason_params = f.reason_params,
      reason_since = case when f.reason_code is null then null when o.reason_code = f.reason_code then o.reason_since
        else clock_timestamp() end,
      broker_order_id = f.broker_order_id, filled_quantity = f.filled, filled_value_micro = f.filled_value,
      realized_micro = f.realized, ended_at = coalesce(f.ended_at, o.ended_at)
    from unnest(
      ${idList(column(({ id }) => id))}::uuid[],
      ${column(({ status }) => status)}::text[],
      ${column(({ reason }) => reason?.code ?? null)}::text[],
      ${column(({ reason }) => reasonParams(reason))}::jsonb[],
      ${column(({ brokerOrderId }) => brokerOrderId)}::text[],
      ${column(({ filled }) => quantityText(filled))}::numeric[],
      ${column(({ filledValue }) => filledValue)}::bigint[],
      ${column(({ realized }) => realized)}::bigint[],
      ${column(({ endedAt }) => (endedAt === undefined ? null : isoText(endedAt)))}::timestamptz[]
    ) as f (id, status, reason_code, reason_params, broker_order_id, filled, filled_value, realized, ended_at)
    where o.id = f.id`.execute(trx);
}
