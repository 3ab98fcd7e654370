// Open positions of deployments, with their last mark. A flat position has no row.
import { type Kysely, sql, type Transaction } from 'kysely';
import type { Holding, Holdings } from '#engine/execution/deployment/trading-deployment.ts';
import type { DeploymentId, Symbol } from '#units/identifiers.ts';
import { type Instant, isoText, parseInstant } from '#units/instant.ts';
import { parseMicro } from '#units/money.ts';
import { parseQuantity, quantityText } from '#units/quantity.ts';
import { idArray } from '../postgres/id-list.ts';
import type { Tables } from '../tables.ts';

export async function listHoldings(
  database: Kysely<Tables>,
  ids: readonly DeploymentId[],
): Promise<Map<DeploymentId, Map<Symbol, Holding>>> {
  const rows = await database
    .selectFrom('positions')
    .selectAll()
    .where('deployment_id', '=', sql<DeploymentId>`any(${idArray(ids)})`)
    .orderBy('symbol')
    .execute();
  const holdings = new Map<DeploymentId, Map<Symbol, Holding>>();
  for (const row of rows) {
    const id = row.deployment_id;
    const symbol = row.symbol;
    let ofDeployment = holdings.get(id);
    if (!ofDeployment) holdings.set(id, (ofDeployment = new Map()));
    ofDeployment.set(symbol, {
      symbol,
      quantity: parseQuantity(row.quantity),
      cost: parseMicro(row.cost_micro),
      markPrice: Number(row.mark_price),
      currentValue: parseMicro(row.current_value_micro),
      totalCost: parseMicro(row.total_cost_micro),
      unrealized: parseMicro(row.unrealized_micro),
      notional: parseMicro(row.notional_micro),
      markedAt: parseInstant(row.marked_at),
    });
  }
  return holdings;
}

type HoldingsChange = {
  readonly deploymentId: DeploymentId;
  readonly before: Holdings;
  readonly after: Holdings;
  readonly at: Instant;
};

/** Makes the rows equal to `after`; unchanged rows are left alone. The caller holds the deployments' locks. */
export async function saveHoldings(
  trx: Transaction<Tables>,
  changes: readonly HoldingsChange[],
): Promise<void> {
  const written: { deploymentId: DeploymentId; holding: Holding; at: Instant }[] = [];
  const closed: { deploymentId: DeploymentId; symbol: Symbol }[] = [];
  for (const { deploymentId, before, after, at } of changes) {
    for (const holding of after.values()) {
      if (before.get(holding.symbol) !== holding) written.push({ deploymentId, holding, at });
    }
    for (const symbol of before.keys()) if (!after.has(symbol)) closed.push({ deploymentId, symbol });
  }
  if (closed.length > 0) {
    await sql`
      delete from positions as p
      using unnest(${closed.map((row) => row.deploymentId)}::uuid[], ${closed.map((row) => row.symbol)}::text[])
        as c (deployment_id, symbol)
      where p.deployment_id = c.deployment_id and p.symbol = c.symbol`.execute(trx);
  }
  if (written.length > 0) await upsert(trx, written);
}

async function upsert(
  trx: Transaction<Tables>,
  rows: readonly { deploymentId: DeploymentId; holding: Holding; at: Instant }[],
): Promise<void> {
  const column = <Value>(pick: (holding: Holding) => Value) => rows.map((row) => pick(row.holding));
  await sql`
    insert into positions (deployment_id, symbol, quantity, cost_micro, mark_price, current_value_micro,
      total_cost_micro, unrealized_micro, notional_micro, opened_at, marked_at)
    select * from unnest(
      ${rows.map((row) => row.deploymentId)}::uuid[],
      ${column((h) => h.symbol)}::text[],
      ${column((h) => quantityText(h.quantity))}::numeric[],
      ${column((h) => h.cost)}::bigint[],
      ${column((h) => h.markPrice)}::numeric[],
      ${column((h) => h.currentValue)}::bigint[],
      ${column((h) => h.totalCost)}::bigint[],
      ${column((h) => h.unrealized)}::bigint[],
      ${column((h) => h.notional)}::bigint[],
      ${rows.map((row) => isoText(row.at))}::timestamptz[],
      ${column((h) => isoText(h.markedAt))}::timestamptz[]
    )
    on conflict (deployment_id, symbol) do update set
      quantity = excluded.quantity, cost_micro = excluded.cost_micro, mark_price = excluded.mark_price,
      current_value_micro = excluded.current_value_micro, total_cost_micro = excluded.total_cost_micro,
      unrealized_micro = excluded.unrealized_micro, notional_micro = excluded.notional_micro,
      marked_at = excluded.marked_at,
      opened_at = case when sign(positions.quantity) = sign(excluded.quantity)
        then positions.opened_at else excluded.opened_at end`.execute(trx);
}
