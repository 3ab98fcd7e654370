// What an account holds beside our books, by instrument, as last known for certain.
import { type Kysely, sql } from 'kysely';
import type { BrokerAccountId, Symbol } from '#units/identifiers.ts';
import { parseQuantity, quantity, quantityText } from '#units/quantity.ts';
import type { Tables } from '../tables.ts';

export async function readHoldingsBeside(
  database: Kysely<Tables>,
  account: BrokerAccountId,
): Promise<ReadonlyMap<Symbol, number>> {
  const { rows } = await sql<{ symbol: Symbol; quantity: string }>`
    select symbol, quantity::text from holdings_beside where account_id = ${account}`.execute(database);
  return new Map(rows.map((row) => [row.symbol, parseQuantity(row.quantity)]));
}

export async function saveHoldingsBeside(
  trx: Kysely<Tables>,
  account: BrokerAccountId,
  changed: ReadonlyMap<Symbol, number>,
): Promise<void> {
  for (const [symbol, units] of changed)
    await sql`
      insert into holdings_beside as h (account_id, symbol, quantity)
      values (${account}, ${symbol}, ${quantityText(quantity(units))})
      on conflict (account_id, symbol) do update set quantity = excluded.quantity, noted_at = clock_timestamp()`.execute(
      trx,
    );
}
