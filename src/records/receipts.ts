// Decision receipts: why a deployment traded at an event, and why it did not.
import type { Transaction } from 'kysely';
import type { RefusedOrder } from '#engine/order/order.ts';
import type { ClientOrderId, DeploymentId, TargetId } from '#units/identifiers.ts';
import type { Instant } from '#units/instant.ts';
import { COPY_NULL, copyField, copyLines, copyRows, isoTexts } from './copy-rows.ts';
import type { Tables } from './tables.ts';

export type Receipt = {
  readonly deploymentId: DeploymentId;
  readonly targetId: TargetId | null;
  readonly at: Instant;
  /**
   * The event: 'target:<id>', 'mark', 'fill:<execution>', 'order_ended:<client order id>', 'exit_cut:<client order id>',
   * 'liquidate:<id>'.
   */
  readonly cause: string;
  readonly decisions: {
    /** What was decided of each stands in its own row, which never changes in that. */
    readonly orders: readonly ClientOrderId[];
    readonly refusals: readonly RefusedOrder[];
  };
};

export async function insertReceipts(trx: Transaction<Tables>, receipts: readonly Receipt[]): Promise<void> {
  const textOf = isoTexts();
  const lines = copyLines();
  for (const { deploymentId, targetId, at, cause, decisions } of receipts) {
    lines.add(
      `${deploymentId}\t${targetId ?? COPY_NULL}\t${textOf(at)}\t${copyField(cause)}\t${copyField(JSON.stringify(decisions))}\n`,
    );
  }
  const columns = ['deployment_id', 'target_id', 'at', 'cause', 'decisions'];
  await copyRows(trx, { table: 'receipts', columns }, lines.bytes());
}
