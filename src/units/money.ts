// Money is a whole number of micro-units (1e-6) of a currency, held in a safe integer. A product is rounded
// once, half-even, where it is made; sums are exact. No fraction of a micro-unit ever exists.
import type { Quantity } from './quantity.ts';
import { roundHalfEven } from './round.ts';

/** Whole micro-units of a currency: 1 US dollar is 1_000_000. */
export type Micro = number & { readonly __unit: 'micro' };

export type Currency = 'USD' | 'EUR' | 'GBP' | 'JPY' | 'CHF' | 'AUD' | 'NZD' | 'CAD' | 'INR' | 'ZAR';

export const MICRO_PER_UNIT = 1_000_000;
export const ZERO_MICRO = 0 as Micro;

/** States that a number already is a whole count of micro-units; throws RangeError when it is not. */
export function micro(value: number): Micro {
  if (!Number.isSafeInteger(value)) throw new RangeError(`not a whole number of micro-units: ${value}`);
  return (value === 0 ? 0 : value) as Micro;
}

/** Natural units (dollars) to micro-units, rounded half-even. */
export function toMicro(amount: number): Micro {
  return micro(roundHalfEven(amount * MICRO_PER_UNIT));
}

/** Micro-units to natural units (dollars) as a float: for ratios and for JSON, never for sums. */
export function fromMicro(amount: Micro): number {
  return amount / MICRO_PER_UNIT;
}

/** The worth of a quantity at a price: quantity (1e-8 units, signed) × price × multiplier, rounded half-even. */
export function notional(quantity: Quantity, price: number, multiplier = 1): Micro {
  return micro(roundHalfEven((quantity * price * multiplier) / 100));
}

/** `amount × ratio`, rounded half-even. */
export function scale(amount: Micro, ratio: number): Micro {
  return micro(roundHalfEven(amount * ratio));
}

export function add(...amounts: readonly Micro[]): Micro {
  let sum = 0;
  for (const amount of amounts) sum += amount;
  return micro(sum);
}

export function subtract(left: Micro, right: Micro): Micro {
  return micro(left - right);
}

/** Micro-units from PostgreSQL's bigint text. Throws RangeError when the text is no safe integer. */
export function parseMicro(text: string): Micro {
  return micro(Number(text));
}

/** Micro-units rounded half-even to whole cents, in natural units with at most two decimals. */
export function toCents(amount: Micro): number {
  return roundHalfEven(amount / 10_000) / 100;
}
