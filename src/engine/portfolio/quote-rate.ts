// The value of one unit of an instrument's quote currency in US dollars, from prices alone. A missing rate is an error:
// nothing is ever valued at a guess.
import type { Symbol } from '#units/identifiers.ts';
import type { Instrument, Marks } from '../market/instrument.ts';

/** US dollars per unit of the quote currency, `price` being the instrument's own. Throws RangeError when unknown. */
export function dollarsPerQuote(instrument: Instrument, price: number, marks: Marks): number {
  const { currency } = instrument;
  if (currency === 'USD') return 1;
  if (instrument.unitCurrency === 'USD') return 1 / price;
  const direct = marks.get(`${currency}USD` as Symbol);
  if (direct !== undefined) return direct;
  const inverse = marks.get(`USD${currency}` as Symbol);
  if (inverse !== undefined) return 1 / inverse;
  throw new RangeError(
    `no rate from ${currency} to USD for ${instrument.symbol}: give a mark for ${currency}USD`,
  );
}

/** Whether `dollarsPerQuote` knows the rate. */
export function hasRate({ currency, unitCurrency }: Instrument, marks: Marks): boolean {
  if (currency === 'USD' || unitCurrency === 'USD') return true;
  return marks.has(`${currency}USD` as Symbol) || marks.has(`USD${currency}` as Symbol);
}
