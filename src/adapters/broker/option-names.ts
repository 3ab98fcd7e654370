// Options as the vendor names them, by the symbology of the Options Clearing Corporation without its spaces: AAPL231103C00170000
// is the call on AAPL at 170 that ends on 3 November 2023.
import { type OptionContract, optionContract, parseOption } from '#engine/market/option-contract.ts';
import type { Symbol } from '#units/identifiers.ts';
import type { IsoDate } from '#units/instant.ts';
import type { BrokerTickers } from './broker-tickers.ts';

/** Null for what is no option, and for one that delivers no shares: the vendor lists none. */
export function optionName(symbol: Symbol, { tickerOf }: BrokerTickers): string | null {
  const option = parseOption(symbol);
  if (option === null || option.settlement !== 'shares') return null;
  return listedName(option, tickerOf(option.underlying));
}

export function listedName({ expiry, right, strike }: OptionContract, underlying: string): string {
  const day = expiry.slice(2).replaceAll('-', '');
  const thousandths = String(Math.round(strike * 1_000)).padStart(8, '0');
  return `${underlying}${day}${right === 'call' ? 'C' : 'P'}${thousandths}`;
}

/** Our symbol; null for another name, and where the underlying is not one of ours. */
export function optionSymbol(name: string, { symbolOf }: BrokerTickers): Symbol | null {
  const found = NAME.exec(name);
  if (found === null) return null;
  const [, root = '', year, month, day, right, thousandths] = found;
  const underlying = symbolOf(root);
  if (underlying === null) return null;
  const strike = Number(thousandths) / 1_000;
  const expiry = `20${year}-${month}-${day}` as IsoDate;
  return optionContract({
    underlying,
    right: right === 'C' ? 'call' : 'put',
    strike,
    expiry,
    settlement: 'shares',
  }).symbol;
}

const NAME = /^([A-Z]{1,6})(\d{2})(\d{2})(\d{2})([CP])(\d{8})$/;
