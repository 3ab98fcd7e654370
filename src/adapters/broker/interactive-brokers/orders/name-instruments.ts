import type { Brokerage } from '../inner-session/brokerage.ts';
import type { ContractBook } from '../market-data/contracts.ts';
import type { VendorInstrument } from './parse-orders.ts';

/** Adds our symbol to the vendor's instrument in each row. If one cannot be identified, the whole list fails. */
export async function nameInstruments<Row extends { readonly instrument: VendorInstrument }>(
  rows: readonly Row[],
  contracts: ContractBook,
  brokerage: Brokerage,
) {
  const value = [];
  for (const row of rows) {
    const symbol = await contracts.recognize(row.instrument, brokerage.query);
    if (symbol.outcome === 'failed') return symbol;
    const { instrument, ...rest } = row;
    value.push({
      ...rest,
      symbol: symbol.value,
      brokerInstrumentId: instrument.conid,
      description: instrument.name,
    });
  }
  return { outcome: 'ok' as const, value };
}
