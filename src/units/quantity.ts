// A quantity is a whole count of 1e-8 units of an instrument, signed (short is negative), in a safe integer.
import { roundHalfEven } from './round.ts';

/** Whole 1e-8 units: one share is 100_000_000. */
export type Quantity = number & { readonly __unit: 'quantity' };

const QUANTITY_PER_UNIT = 100_000_000;
export const ZERO_QUANTITY = 0 as Quantity;
/** 90 million units: what a position may grow to. Beyond, a safe integer ends. */
export const QUANTITY_MAX = (90_000_000 * QUANTITY_PER_UNIT) as Quantity;

/** States that a number already is a whole count of 1e-8 units; throws RangeError when it is not. */
export function quantity(value: number): Quantity {
  if (!Number.isSafeInteger(value))
    throw new RangeError(
      Math.abs(value) > Number.MAX_SAFE_INTEGER
        ? `more than 90 million units, which one quantity cannot hold: ${value / QUANTITY_PER_UNIT}`
        : `not a whole number of 1e-8 units: ${value}`,
    );
  return (value === 0 ? 0 : value) as Quantity;
}

/** Natural units (shares, coins) to a quantity, rounded half-even. */
export function toQuantity(units: number): Quantity {
  return quantity(roundHalfEven(units * QUANTITY_PER_UNIT));
}

/** Natural units of a quantity, as a float. */
export function fromQuantity(value: Quantity): number {
  return value / QUANTITY_PER_UNIT;
}

/** The exact decimal text, for PostgreSQL numeric and for broker orders: no exponent, no trailing zeros. */
export function quantityText(value: Quantity): string {
  const sign = value < 0 ? '-' : '';
  const digits = String(Math.abs(value)).padStart(9, '0');
  const fraction = digits.slice(-8).replace(/0+$/, '');
  return `${sign}${digits.slice(0, -8)}${fraction === '' ? '' : `.${fraction}`}`;
}

/** A quantity from decimal text such as '12.5'. Throws RangeError on anything else, or on more than 8 decimals. */
export function parseQuantity(text: string): Quantity {
  const match = /^(-?)(\d+)(?:\.(\d{1,8})0*)?$/.exec(text);
  if (!match) throw new RangeError(`not a quantity: ${text}`);
  const value = Number(match[2]) * QUANTITY_PER_UNIT + Number((match[3] ?? '').padEnd(8, '0'));
  return quantity(match[1] === '-' ? -value : value);
}
