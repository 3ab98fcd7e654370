// The collar: how far from its reference price an order may fill. Rounded to the instrument's decimals towards the
// reference, so that rounding never widens it.
import type { Instrument } from '../market/instrument.ts';
import { KIND_RULES } from '../market/kinds/rules-of.ts';
import type { Side } from './order.ts';

/** The worst price at which the order may fill. `collar` 0.03 is 3 percent, and more for kinds that move in larger steps. */
export function limitPrice(
  side: Side,
  referencePrice: number,
  collar: number,
  instrument: Instrument,
): number {
  const own = collar * KIND_RULES[instrument.kind].collarFactor;
  const price = referencePrice * (side === 'buy' ? 1 + own : 1 - own);
  return quotedBeyond(price, side === 'buy' ? 'down' : 'up', instrument);
}

/** The next price that the instrument can be quoted at. A price that is off only by binary rounding stays. */
export function quotedBeyond(price: number, way: 'down' | 'up', instrument: Instrument): number {
  const scale = ticksPerUnit(instrument);
  const ticks = price * scale;
  const nearest = Math.round(ticks);
  if (Math.abs(nearest - ticks) <= TOLERANCE * ticks) return nearest / scale;
  return (way === 'down' ? Math.floor(ticks) : Math.ceil(ticks)) / scale;
}

/** The nearest price that the instrument can be quoted at. */
export function quotedPrice(price: number, instrument: Instrument): number {
  const scale = ticksPerUnit(instrument);
  return Math.round(price * scale) / scale;
}

/** The number of smallest price steps in one. */
function ticksPerUnit({ priceDecimals, terms }: Instrument): number {
  if (terms?.priceTick !== undefined) return 1 / terms.priceTick;
  return POWERS_OF_TEN[priceDecimals] ?? 1e8;
}

const TOLERANCE = 1e-14;

const POWERS_OF_TEN = [1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8];
