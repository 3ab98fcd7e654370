// What an instrument is called at the stand-in for Alpaca, and which one a name means. Contracts are listed day by day, and one
// that was listed before is known until it ends.
import { describedInstrument } from '#engine/market/derivatives/derived-instrument.ts';
import type { Instrument } from '#engine/market/instrument.ts';
import { type OptionContract, optionContract, parseOption } from '#engine/market/option-contract.ts';
import type { Symbol } from '#units/identifiers.ts';
import type { IsoDate } from '#units/instant.ts';
import type { PriceSource } from '../../market/price-source.ts';

/** The vendor's name of an instrument: a pair of coins has a slash. */
export function nameOf({ symbol, kind, unitCurrency, currency }: Instrument): string {
  const option = kind === 'options' ? parseOption(symbol) : null;
  if (option !== null) return contractName(option);
  return kind === 'crypto' && unitCurrency !== null ? `${unitCurrency}/${currency}` : symbol;
}

/** AAPL231103C00170000. */
function contractName({ underlying, expiry, right, strike }: OptionContract): string {
  const thousandths = String(Math.round(strike * 1_000)).padStart(8, '0');
  return `${underlying}${expiry.slice(2).replaceAll('-', '')}${right === 'call' ? 'C' : 'P'}${thousandths}`;
}

/** The older name of a pair, BTCUSD, is taken too. Null for what the market never had. */
export function instrumentNamed({ instruments }: PriceSource, name: unknown): Instrument | null {
  const found = instruments.find((one) => nameOf(one) === name || one.symbol === name);
  if (found !== undefined) return found;
  const terms = CONTRACT.exec(String(name));
  if (terms === null) return null;
  const [, underlying = '', year, month, day, right, thousandths] = terms;
  const { symbol } = optionContract({
    underlying: underlying as Symbol,
    right: right === 'C' ? 'call' : 'put',
    strike: Number(thousandths) / 1_000,
    expiry: `20${year}-${month}-${day}` as IsoDate,
    settlement: 'shares',
  });
  return instrumentOf({ instruments }, symbol);
}

/** By our symbol. */
export function instrumentOf(
  { instruments }: Pick<PriceSource, 'instruments'>,
  symbol: Symbol,
): Instrument | null {
  const found = instruments.find((one) => one.symbol === symbol);
  if (found !== undefined || !symbol.includes('.')) return found ?? null;
  return describedInstrument(symbol, new Map(instruments.map((one) => [one.symbol, one])));
}

const CONTRACT = /^([A-Z]{1,6})(\d{2})(\d{2})(\d{2})([CP])(\d{8})$/;
