// The executions of a deployment in booking order, to recompute everything that follows from them.
import { sql } from 'kysely';
import type { Fill } from '#engine/order/order.ts';
import type { ClientOrderId, DeploymentId, Symbol } from '#units/identifiers.ts';
import { parseInstant } from '#units/instant.ts';
import { type Micro, parseMicro } from '#units/money.ts';
import { parseQuantity } from '#units/quantity.ts';
import type { Database } from '../postgres/database.ts';

type BookedFill = {
  /** Account and execution id. */
  readonly execution: string;
  readonly fill: Fill;
  readonly realized: Micro;
  /** Its first ledger entry. */
  readonly entry: number;
};

/** In order of their ledger entries: the order in which they were applied. */
export async function fillsInBookingOrder(database: Database, id: DeploymentId): Promise<BookedFill[]> {
  const { rows } = await sql<FillRow>`
    select f.account_id || ':' || f.execution_id as execution, o.client_order_id, f.symbol, f.side, f.quantity, f.price, f.commission_micro, f.realized_micro, f.executed_at, f.split_ratio,
      (select min(e.id) from ledger_entries e where e.transaction_id = t.id)::text as entry
    from fills f join orders o on o.id = f.order_id
    left join ledger_transactions t on t.cause = 'fill:' || f.account_id || ':' || f.execution_id
    where f.deployment_id = ${id}
    order by (select min(e.id) from ledger_entries e where e.transaction_id = t.id), f.executed_at`.execute(
    database,
  );
  return rows.map((row) => ({
    execution: row.execution,
    realized: parseMicro(row.realized_micro),
    entry: Number(row.entry),
    fill: {
      clientOrderId: row.client_order_id,
      symbol: row.symbol,
      side: row.side,
      quantity: parseQuantity(row.quantity),
      price: Number(row.price),
      commission: parseMicro(row.commission_micro),
      at: parseInstant(row.executed_at),
      splitRatio: Number(row.split_ratio),
    },
  }));
}

type FillRow = {
  execution: string;
  client_order_id: ClientOrderId;
  symbol: Symbol;
  side: 'buy' | 'sell';
  quantity: string;
  price: string;
  commission_micro: string;
  realized_micro: string;
  entry: string;
  executed_at: Date;
  split_ratio: string;
};
