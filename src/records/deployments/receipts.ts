// Decision receipts: a deployment was decided on at an event, what a decision on a target was made from, and why something
// was not ordered. The orders of the same time show what was ordered.
import { sql, type Transaction } from 'kysely';
import type { Receipt } from '#engine/execution/deployment/state-transition.ts';
import { binaryRows } from '../postgres/binary-rows.ts';
import { copyRows } from '../postgres/copy-rows.ts';
import type { DeploymentId, TargetId } from '#units/identifiers.ts';
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

/** Those that were not decided on for a target yet. */
export async function listWithoutReceipt(
  trx: Transaction<Tables>,
  ids: readonly DeploymentId[],
  target: TargetId,
): Promise<DeploymentId[]> {
  const { rows } = await sql<{ id: DeploymentId }>`
    select asked.id from unnest(${ids}::uuid[]) as asked (id)
    where not exists (select from receipts r where r.deployment_id = asked.id and r.target_id = ${target})
    order by asked.id`.execute(trx);
  return rows.map(({ id }) => id);
}

const INTO_RECEIPTS = {
  table: 'receipts',
  columns: ['deployment_id', 'target_id', 'at', 'cause', 'refusals', 'decision'],
};
