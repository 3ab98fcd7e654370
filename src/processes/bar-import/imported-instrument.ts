// The instrument that a person's bars belong to, from its kind and symbol.
import type { Instrument } from '#engine/market/instrument.ts';
import type { Symbol } from '#units/identifiers.ts';
import type { Currency } from '#units/money.ts';
import { toQuantity } from '#units/quantity.ts';
import { CURRENCIES, type ImportableKind } from './bar-arguments.ts';

type RequestedInstrument = {
  readonly symbol: Symbol;
  readonly kind: ImportableKind;
  readonly name: string | null;
  readonly currency: Currency | null;
  readonly priceDecimals: number;
};

/** Throws an Error for the person when the symbol does not fit the kind. */
export function importedInstrument({
  symbol,
  kind,
  name,
  currency,
  priceDecimals,
}: RequestedInstrument): Instrument {
  const pair = kind === 'equity' ? null : splitPair(symbol, kind);
  const quoted = pair?.quote ?? currency ?? 'USD';
  if (pair && currency !== null && currency !== pair.quote) {
    throw new Error(`${symbol} is quoted in ${pair.quote}, not in ${currency}: leave --currency out`);
  }
  return {
    symbol,
    kind,
    name: name ?? symbol,
    currency: quoted,
    unitCurrency: pair?.unit ?? null,
    multiplier: 1,
    quantityStep: toQuantity(kind === 'crypto' ? COIN_STEP : 1),
    priceDecimals,
    calendar: CALENDAR[kind],
    settlement: kind === 'forex' ? 'margin' : 'cash',
    expiry: null,
  };
}

const CALENDAR = { equity: 'us-equity', forex: 'forex', crypto: 'crypto' } as const;
/** The smallest order of a coin whose own step is unknown. */
const COIN_STEP = 0.0001;

function splitPair(symbol: Symbol, kind: ImportableKind): { unit: string; quote: Currency } {
  const match = /^([A-Z0-9]{2,10})[._-]?([A-Z]{3})$/.exec(symbol);
  const quote = CURRENCIES.find((known) => known === match?.[2]);
  if (!match || quote === undefined) {
    throw new Error(
      `the symbol of ${kind} is a pair such as ${kind === 'forex' ? 'EURUSD' : 'BTCUSD'}, quoted in ${CURRENCIES.join(', ')}; "${symbol}" is not`,
    );
  }
  return { unit: match[1]!, quote };
}
