// A price as the API writes it: text by field number.
import type { Instant } from '#units/instant.ts';
import type { PriceSource } from '../../market/price-source.ts';
import type { Contract } from './contract-list.ts';

/** 31 last (with C: of an earlier session), 84 bid, 86 ask, 55 symbol, 6509 availability (R: real time). */
export function quoteFields(
  contract: Contract,
  prices: PriceSource,
  at: Instant,
  fields: readonly string[],
): Record<string, string> {
  const quote = prices.quote(contract.instrument.symbol, at);
  if (!quote) return {};
  const all: Record<string, string> = {
    '31': `${quote.open ? '' : 'C'}${quote.last}`,
    '84': String(quote.bid),
    '86': String(quote.ask),
    '55': contract.name,
    '6509': 'RpB',
  };
  const wanted = fields.filter((field) => field in all);
  return Object.fromEntries(wanted.map((field) => [field, all[field] ?? '']));
}
