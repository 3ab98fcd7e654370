// The instruments of the simulated market, in the engine's words.
import type { Instrument } from '#engine/market/instrument.ts';
import type { Symbol } from '#units/identifiers.ts';
import { toQuantity } from '#units/quantity.ts';
import { SHARES } from './catalogue-shares.ts';
import { COINS } from './price-models/coin-model.ts';
import { CURRENCIES } from './price-models/currency-model.ts';

export const SHARE_INSTRUMENTS: readonly Instrument[] = SHARES.map((traits) => ({
  symbol: traits.symbol as Symbol,
  kind: 'equity',
  name: traits.name,
  currency: 'USD',
  unitCurrency: null,
  multiplier: 1,
  quantityStep: toQuantity(1),
  priceDecimals: 2,
  calendar: 'us-equity',
  settlement: 'cash',
  expiry: null,
}));

export const CURRENCY_INSTRUMENTS: readonly Instrument[] = CURRENCIES.map((traits) => ({
  symbol: traits.symbol as Symbol,
  kind: 'forex',
  name: traits.name,
  currency: traits.quote,
  unitCurrency: traits.unit,
  multiplier: 1,
  quantityStep: toQuantity(1),
  priceDecimals: traits.priceDecimals,
  calendar: 'forex',
  settlement: 'margin',
  expiry: null,
}));

export const COIN_INSTRUMENTS: readonly Instrument[] = COINS.map((traits) => ({
  symbol: traits.symbol as Symbol,
  kind: 'crypto',
  name: `${traits.name} / US dollar`,
  currency: 'USD',
  unitCurrency: traits.unit,
  multiplier: 1,
  quantityStep: toQuantity(traits.step),
  priceDecimals: traits.priceDecimals,
  calendar: 'crypto',
  settlement: 'cash',
  expiry: null,
}));
