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
  const rows = receipts.map(({ deploymentId, targetId, at, cause, decisions }) => ({
    deployment_id: deploymentId,
    target_id: targetId,
    at: isoText(at),
    cause,
    decisions,
  }));
  await sql`
    insert into receipts (deployment_id, target_id, at, cause, decisions)
    select * from json_to_recordset(${JSON.stringify(rows)}::json)
      as c (deployment_id uuid, target_id uuid, at timestamptz, cause text, decisions jsonb)`.execute(trx);
}
