// Decision receipts: why a deployment traded at an event, and why it did not.
import { sql, type Transaction } from 'kysely';
import type { RefusedOrder } from '#engine/order/order.ts';
import type { DeploymentId, TargetId } from '#units/identifiers.ts';
import { type Instant, isoText } from '#units/instant.ts';
import type { Tables } from './tables.ts';

export type DecidedOrder = {
  readonly clientOrderId: string;
  readonly symbol: string;
  readonly side: string;
  /** Decimal text in natural units. */
  readonly quantity: string;
  readonly limitPrice: number;
  readonly referencePrice: number;
};

export type Receipt = {
  readonly deploymentId: DeploymentId;
  readonly targetId: TargetId | null;
  readonly at: Instant;
  /** The event: 'target:<id>', 'mark', 'fill:<execution>', 'order_ended:<client order id>', 'liquidate:<id>'. */
  readonly cause: string;
  readonly decisions: {
    readonly orders: readonly DecidedOrder[];
    readonly refusals: readonly RefusedOrder[];
  };
};

export async function insertReceipts(trx: Transaction<Tables>, receipts: readonly Receipt[]): Promise<void> {
  if (receipts.length === 0) return;
  const column = <Value>(pick: (receipt: Receipt) => Value) => receipts.map(pick);
  await sql`
    insert into receipts (deployment_id, target_id, at, cause, decisions)
    select * from unnest(
      ${column((r) => r.deploymentId)}::uuid[],
      ${column((r) => r.targetId)}::uuid[],
      ${column((r) => isoText(r.at))}::timestamptz[],
      ${column((r) => r.cause)}::text[],
      ${column((r) => JSON.stringify(r.decisions))}::jsonb[]
    )`.execute(trx);
}
