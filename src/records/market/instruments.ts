// Instruments that have bars. One row per symbol, from any source.
import { type Kysely, sql } from 'kysely';
import type { CalendarId, Instrument, InstrumentKind, Settlement } from '#engine/market/instrument.ts';
import type { MarketMode } from '#ports/market-data.ts';
import type { Symbol } from '#units/identifiers.ts';
import type { IsoDate } from '#units/instant.ts';
import type { Currency } from '#units/money.ts';
import { parseQuantity, quantityText } from '#units/quantity.ts';
import type { Tables } from '../tables.ts';

/** sandbox: from the simulated market. import: from imported files. live: from a vendor's feed. */
export type BarSource = 'sandbox' | 'import' | 'live';

/** Where the bars of a market come from. */
export const BAR_SOURCES: Readonly<Record<MarketMode, BarSource>> = {
  sandbox: 'sandbox',
  replay: 'import',
  live: 'live',
};

export async function listInstruments(database: Kysely<Tables>): Promise<Instrument[]> {
  const rows = await database.selectFrom('instruments').selectAll().orderBy('symbol').execute();
  return rows.map(toInstrument);
}

export async function findInstrument(database: Kysely<Tables>, symbol: Symbol): Promise<Instrument | null> {
  const row = await database
    .selectFrom('instruments')
    .selectAll()
    .where('symbol', '=', symbol)
    .executeTakeFirst();
  return row ? toInstrument(row) : null;
}

/** Whose bars of it are read; null for an unknown symbol. */
export async function findSource(database: Kysely<Tables>, symbol: Symbol): Promise<BarSource | null> {
  const row = await database
    .selectFrom('instruments')
    .select('source')
    .where('symbol', '=', symbol)
    .executeTakeFirst();
  return (row?.source ?? null) as BarSource | null;
}

/** Unknown symbols are left out. */
export async function findInstruments(
  database: Kysely<Tables>,
  symbols: readonly Symbol[],
): Promise<Instrument[]> {
  const { rows } = await sql<Row>`
    select * from instruments where symbol = any(${symbols}::text[]) order by symbol`.execute(database);
  return rows.map(toInstrument);
}

/** Inserts or updates the rows of these instruments. */
export async function saveInstruments(
  database: Kysely<Tables>,
  instruments: readonly Instrument[],
  source: BarSource,
): Promise<void> {
  if (instruments.length === 0) return;
  await database
    .insertInto('instruments')
    .values(
      instruments.map((instrument) => ({
        symbol: instrument.symbol,
        kind: instrument.kind,
        name: instrument.name,
        currency: instrument.currency,
        unit_currency: instrument.unitCurrency,
        multiplier: instrument.multiplier,
        quantity_step: quantityText(instrument.quantityStep),
        price_decimals: instrument.priceDecimals,
        calendar: instrument.calendar,
        settlement: instrument.settlement,
        expiry: instrument.expiry,
        source,
      })),
    )
    .onConflict((conflict) =>
      conflict.column('symbol').doUpdateSet((row) => ({
        kind: row.ref('excluded.kind'),
        name: row.ref('excluded.name'),
        currency: row.ref('excluded.currency'),
        unit_currency: row.ref('excluded.unit_currency'),
        multiplier: row.ref('excluded.multiplier'),
        quantity_step: row.ref('excluded.quantity_step'),
        price_decimals: row.ref('excluded.price_decimals'),
        calendar: row.ref('excluded.calendar'),
        settlement: row.ref('excluded.settlement'),
        expiry: row.ref('excluded.expiry'),
        source: row.ref('excluded.source'),
      })),
    )
    .execute();
}

/** Removes an instrument that no bar or other record needs any more; true when it was removed. */
export async function removeInstrumentWithoutBars(
  database: Kysely<Tables>,
  symbol: Symbol,
): Promise<boolean> {
  const removed = await sql`
    delete from instruments where symbol = ${symbol} and source = 'import'
    and not exists (select 1 from bars where bars.symbol = instruments.symbol)
    and not exists (select 1 from orders where orders.symbol = instruments.symbol)
    and not exists (select 1 from positions where positions.symbol = instruments.symbol)`.execute(database);
  return removed.numAffectedRows === 1n;
}

type Row = {
  symbol: Symbol;
  kind: string;
  name: string;
  currency: string;
  unit_currency: string | null;
  multiplier: string;
  quantity_step: string;
  price_decimals: number;
  calendar: string;
  settlement: string;
  expiry: string | null;
};

function toInstrument(row: Row): Instrument {
  return {
    symbol: row.symbol,
    kind: row.kind as InstrumentKind,
    name: row.name,
    currency: row.currency as Currency,
    unitCurrency: row.unit_currency,
    multiplier: Number(row.multiplier),
    quantityStep: parseQuantity(row.quantity_step),
    priceDecimals: row.price_decimals,
    calendar: row.calendar as CalendarId,
    settlement: row.settlement as Settlement,
    expiry: row.expiry as IsoDate | null,
  };
}
