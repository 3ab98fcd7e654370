import { type Kysely, sql } from 'kysely';
import type { KeptExecution } from '#engine/adjustments/suspense-entry.ts';
import type { BrokerAccountId, ExecutionId } from '#units/identifiers.ts';
import { parseInstant } from '#units/instant.ts';
import { parseMicro } from '#units/money.ts';
import { parseQuantity } from '#units/quantity.ts';
import type { Tables } from '../tables.ts';

/** An execution as it was first kept, for a deployment or as an external trade; null where it was not. */
export async function findKeptExecution(
  database: Kysely<Tables>,
  account: BrokerAccountId,
  id: ExecutionId,
): Promise<KeptExecution | null> {
  const { rows } = await sql<KeptRow>`
    select side, quantity::text, price::float8, commission_micro::text as commission, executed_at as at
    from fills where account_id = ${account} and execution_id = ${id}
    union all
    select side, quantity::text, price::float8, commission_micro::text, executed_at
    from suspense_entries where account_id = ${account} and execution_id = ${id} and kind = 'external_trade'
    union all
    select case when units < 0 then 'sell' else 'buy' end, abs(units)::text, price::float8, commission_micro::text, applied_at
    from adjustments where account_id = ${account} and execution_id = ${id} and status = 'applied'
      and closes_as = 'adjustment' and price is not null`.execute(database);
  const [row] = rows;
  if (row === undefined) return null;
  return {
    side: row.side,
    quantity: parseQuantity(row.quantity),
    price: row.price,
    commission: parseMicro(row.commission ?? '0'),
    at: parseInstant(row.at),
  };
}

type KeptRow = Pick<KeptExecution, 'side' | 'price'> & {
  readonly quantity: string;
  readonly commission: string | null;
  readonly at: Date;
};
