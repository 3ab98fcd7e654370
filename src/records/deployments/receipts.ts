// Decision receipts: a deployment was decided on at an event, and why something was not ordered. The orders of the same
// time show what was ordered.
import type { Transaction } from 'kysely';
import type { Pool } from 'pg';
import type { Receipt } from '#engine/execution/deployment/state-transition.ts';
import type { RefusedOrder } from '#engine/order/order.ts';
import type { DeploymentId } from '#units/identifiers.ts';
import { binaryRows } from '../postgres/binary-rows.ts';
import { copyRows } from '../postgres/copy-rows.ts';
import type { Tables } from '../tables.ts';

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

export type RefusalsRow = {
  readonly at: Date;
  readonly cause: string;
  readonly refusals: readonly RefusedOrder[];
};

/** How many receipts are searched, so that a deployment that repeats itself costs no more than another. */
const DECISIONS_LOOKED_AT = 500;

/** One sort order, so that PostgreSQL stops at the last requested decision. */
const REFUSALS_SQL = `
  select at, cause, renewed_refusals as refusals from (
    select id, at, cause, refusals, lead(refusals) over (order by at desc, id desc) as before from (
      select id, at, cause, refusals from receipts where deployment_id = $1 and refusals is not null
      order by at desc, id desc limit ${DECISIONS_LOOKED_AT}
    ) newest
  ) decided
  cross join lateral (
    select jsonb_agg(one order by place) as renewed_refusals from jsonb_array_elements(refusals) with ordinality as e (one, place)
    where cause = 'target' or before is null or not before @> jsonb_build_array(one)
  ) renewed
  where renewed_refusals is not null
  order by at desc, id desc
  limit $2`;

/**
 * The newest decisions of a deployment that refused something, newest first. The continuation of a target after its sales
 * refuses the same again: repeats of the previous refusal are left out, but never a target's own.
 */
export async function readRefusals(
  pool: Pool,
  { id, limit }: { readonly id: DeploymentId; readonly limit: number },
): Promise<readonly RefusalsRow[]> {
  const { rows } = await pool.query<RefusalsRow>(REFUSALS_SQL, [id, limit]);
  return rows;
}
