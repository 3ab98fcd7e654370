// Decision receipts: that a deployment was decided on at an event, and why something was not ordered. What was ordered
// stands in the orders of the same time.
import type { Transaction } from 'kysely';
import type { RefusedOrder } from '#engine/order/order.ts';
import type { DeploymentId, TargetId } from '#units/identifiers.ts';
import type { Instant } from '#units/instant.ts';
import { binaryRows } from './binary-rows.ts';
import { copyRows } from './copy-rows.ts';
import type { Tables } from './tables.ts';

export type Receipt = {
  readonly deploymentId: DeploymentId;
  readonly targetId: TargetId | null;
  readonly at: Instant;
  /**
   * The event: 'target', 'mark', 'fill:<client order id>', 'order_ended:<client order id>', 'exit_cut:<client order id>',
   * 'liquidate:<id>', '<holding event>:<symbol>', 'protective-stops'.
   */
  readonly cause: string;
  readonly refusals: readonly RefusedOrder[];
};

export async function insertReceipts(trx: Transaction<Tables>, receipts: readonly Receipt[]): Promise<void> {
  if (receipts.length === 0) return;
  const rows = binaryRows(INTO_RECEIPTS.columns.length);
  for (const { deploymentId, targetId, at, cause, refusals } of receipts) {
    rows.row();
    rows.uuid(deploymentId);
    rows.uuid(targetId);
    rows.instant(at);
    rows.text(cause);
    rows.json(refusals.length === 0 ? null : refusals);
  }
  await copyRows(trx, INTO_RECEIPTS, rows.bytes());
}

const INTO_RECEIPTS = {
  table: 'receipts',
  columns: ['deployment_id', 'target_id', 'at', 'cause', 'refusals'],
};
