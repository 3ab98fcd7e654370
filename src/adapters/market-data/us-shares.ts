// The shares and funds of the United States as the live feeds list them.
import type { Instrument } from '#engine/market/instrument.ts';
import type { MarketDataFailure } from '#ports/market-data.ts';
import type { Symbol } from '#units/identifiers.ts';
import { toQuantity } from '#units/quantity.ts';
import { failure } from './read-answer.ts';

/** In whole units where nobody says that fractions of it trade. What a broker takes of them is its own matter. */
export function shareOf({ symbol, name, terms }: Pick<Instrument, 'symbol' | 'name' | 'terms'>): Instrument {
  return {
    symbol,
    kind: 'equity',
    name,
    currency: 'USD',
    unitCurrency: null,
    multiplier: 1,
    quantityStep: toQuantity(terms?.isFractionable === true ? FRACTION : 1),
    priceDecimals: 2,
    calendar: 'us-equity',
    settlement: 'cash',
    expiry: null,
    ...(terms && { terms }),
  };
}

/** Of a share: ten cents of one at a hundred dollars. Alpaca takes up to nine decimals. */
const FRACTION = 0.001;

export function noInstrument(symbol: Symbol): MarketDataFailure {
  return failure(
    'unknown_symbol',
    `no instrument is called ${symbol}: the live market has those of MARKET_SYMBOLS`,
  );
}
