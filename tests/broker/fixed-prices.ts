// A market that moves only when the test moves it, for broker test benches.
import { sessionAt } from '#engine/market/calendar.ts';
import type { Instrument } from '#engine/market/instrument.ts';
import { equityInstrument } from '../support/engine/random-market.ts';
import type { PriceSource } from '#sandbox/market/price-source.ts';
import { parseInstant } from '#units/instant.ts';
import { toQuantity } from '#units/quantity.ts';

/** A Saturday, 12:00 UTC: no stock exchange is open. */
export const SATURDAY = parseInstant('2026-01-10T12:00:00Z');

export type FixedPrices = PriceSource & {
  /** From now on multiplies every price by this factor. */
  fallTo(share: number): void;
};

/** Each trading day opens a dollar above the last, and moves half a dollar up within the day. */
export function fixedPrices(): FixedPrices {
  const monday = parseInstant('2026-01-12T00:00:00Z');
  let factor = 1;
  return {
    fallTo(share) {
      factor = share;
    },
    instruments: INSTRUMENTS,
    dailyBars: () => [],
    quote(symbol, at) {
      const instrument = INSTRUMENTS.find((known) => known.symbol === symbol);
      if (!instrument) return null;
      const current = sessionAt(instrument.calendar, at);
      const day = Math.max(0, Math.floor((at - monday) / 86_400_000));
      const base = BASE_PRICE[symbol] ?? 0;
      const last = factor * base * (1 + day / 100 + (current && at > current.opensAt ? 0.005 : 0));
      return { symbol, at, last, bid: last * 0.9999, ask: last * 1.0001, open: current !== null };
    },
  };
}

const BASE_PRICE: Record<string, number> = { SPY: 100, EURUSD: 1.1, USDJPY: 150, BTCUSD: 40_000 };

function instrumentOf(symbol: string, fields: Partial<Instrument>): Instrument {
  return { ...equityInstrument(symbol), name: `The ${symbol}`, ...fields };
}

const FOREX = { kind: 'forex', calendar: 'forex', settlement: 'margin' } as const;

export const INSTRUMENTS: readonly Instrument[] = [
  instrumentOf('SPY', {}),
  instrumentOf('EURUSD', { ...FOREX, unitCurrency: 'EUR', priceDecimals: 5 }),
  instrumentOf('USDJPY', { ...FOREX, unitCurrency: 'USD', currency: 'JPY', priceDecimals: 3 }),
  instrumentOf('BTCUSD', {
    kind: 'crypto',
    calendar: 'crypto',
    unitCurrency: 'BTC',
    quantityStep: toQuantity(0.0001),
  }),
];
