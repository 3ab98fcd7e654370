// Bid and ask around the last price: half a spread on each side, at least one tick.
import type { Instrument, InstrumentKind } from '#engine/market/instrument.ts';
import type { Instant } from '#units/instant.ts';
import { roundPrice } from './price-models/day-path.ts';
import type { Quote } from './price-source.ts';

export function quoteAround(instrument: Instrument, last: number, at: Instant, open: boolean): Quote {
  const tick = 10 ** -instrument.priceDecimals;
  const half = Math.max(tick, last * HALF_SPREAD[instrument.kind]);
  return {
    symbol: instrument.symbol,
    at,
    last,
    bid: roundPrice(last - half, instrument.priceDecimals),
    ask: roundPrice(last + half, instrument.priceDecimals),
    open,
  };
}

/** Shares of the price: what liquid names of each kind typically cost to cross. */
const HALF_SPREAD: Record<InstrumentKind, number> = {
  equity: 0.00015,
  forex: 0.00004,
  crypto: 0.0004,
  futures: 0.0001,
  options: 0.005,
};
