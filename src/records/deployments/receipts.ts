// Decision receipts: a deployment was decided on at an event, what a decision on a target was made from, and why something
// was not ordered. The orders of the same time show what was ordered.
import type { Transaction } from 'kysely';
import type { Receipt } from '#engine/execution/deployment/state-transition.ts';
import { binaryRows } from '../postgres/binary-rows.ts';
import { copyRows } from '../postgres/copy-rows.ts';
import type { Tables } from '../tables.ts';

export async function insertReceipts(trx: Transaction<Tables>, receipts: readonly Receipt[]): Promise<void> {
  if (receipts.length === 0) return;
  const rows = binaryRows(INTO_RECEIPTS.columns.length);
  for (const { deploymentId, targetId, at, cause, refusals, decision } of receipts) {
    rows.row();
    rows.uuid(deploymentId);
    rows.uuid(targetId);
    rows.instant(at);
    rows.text(cause);
    rows.json(refusals.length === 0 ? null : refusals);
    rows.json(decision);
  }
  await copyRows(trx, INTO_RECEIPTS, rows.bytes());
}

const INTO_RECEIPTS = {
  table: 'receipts',
  columns: ['deployment_id', 'target_id', 'at', 'cause', 'refusals', 'decision'],
};
