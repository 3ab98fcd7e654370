// Splits and dividends of an instrument, kept separate from its raw bars.
import { type Kysely, sql } from 'kysely';
import type { CorporateAction } from '#engine/market/corporate-action.ts';
import type { Symbol } from '#units/identifiers.ts';
import type { IsoDate } from '#units/instant.ts';
import type { Tables } from '../tables.ts';

/** Oldest first. */
export async function listCorporateActions(
  database: Kysely<Tables>,
  symbol: Symbol,
): Promise<CorporateAction[]> {
  const rows = await database
    .selectFrom('corporate_actions')
    .selectAll()
    .where('symbol', '=', symbol)
    .orderBy('ex_date')
    .orderBy('kind')
    .execute();
  return rows.map((row) => ({
    kind: row.kind as CorporateAction['kind'],
    exDate: row.ex_date as IsoDate,
    amount: Number(row.amount),
  }));
}

/** By symbol, oldest first; those without any are left out. */
export async function listActionsOf(
  database: Kysely<Tables>,
  symbols: readonly Symbol[],
): Promise<ReadonlyMap<Symbol, CorporateAction[]>> {
  const { rows } = await sql<{ symbol: Symbol; kind: string; ex_date: string; amount: string }>`
    select symbol, kind, ex_date, amount from corporate_actions where symbol = any(${symbols}::text[])
    order by ex_date, kind`.execute(database);
  const bySymbol = new Map<Symbol, CorporateAction[]>();
  for (const { symbol, kind, ex_date: exDate, amount } of rows) {
    const action = {
      kind: kind as CorporateAction['kind'],
      exDate: exDate as IsoDate,
      amount: Number(amount),
    };
    bySymbol.set(symbol, [...(bySymbol.get(symbol) ?? []), action]);
  }
  return bySymbol;
}

/** Stores these events; an event of the same day and kind takes the new amount. */
export async function saveCorporateActions(
  database: Kysely<Tables>,
  symbol: Symbol,
  actions: readonly CorporateAction[],
): Promise<void> {
  if (actions.length === 0) return;
  await database
    .insertInto('corporate_actions')
    .values(actions.map(({ kind, exDate, amount }) => ({ symbol, kind, ex_date: exDate, amount })))
    .onConflict((conflict) =>
      conflict
        .columns(['symbol', 'ex_date', 'kind'])
        .doUpdateSet((row) => ({ amount: row.ref('excluded.amount') })),
    )
    .execute();
}
