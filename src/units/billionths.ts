// Whole 1e-9 units: finer than a quantity. Some brokers charge fees in coins to the ninth decimal.
import { type Quantity, quantity } from './quantity.ts';

/** Whole 1e-9 units, in a safe integer. */
export type Billionths = number & { readonly __unit: 'billionths' };

/** From decimal text or a number; what lies beyond the ninth decimal counts as one more. Throws RangeError on anything else. */
export function parseBillionths(text: string): Billionths {
  const match = /^(-?)(\d+)(?:\.(\d*))?$/.exec(text.trim());
  if (!match) throw new RangeError(`not a decimal number: ${text}`);
  const [, sign, whole, fraction = ''] = match;
  const beyond = /[1-9]/.test(fraction.slice(DECIMALS)) ? 1 : 0;
  const value = Number(`${whole}${fraction.slice(0, DECIMALS).padEnd(DECIMALS, '0')}`) + beyond;
  if (!Number.isSafeInteger(value)) throw new RangeError(`too many units: ${text}`);
  return (sign === '-' ? -value || 0 : value) as Billionths;
}

/** The exact decimal text, for PostgreSQL numeric. */
export function billionthsText(value: Billionths): string {
  const digits = String(Math.abs(value)).padStart(DECIMALS + 1, '0');
  const fraction = digits.slice(-DECIMALS).replace(/0+$/, '');
  return `${value < 0 ? '-' : ''}${digits.slice(0, -DECIMALS)}${fraction === '' ? '' : `.${fraction}`}`;
}

/** The quantity that is at least as much. */
export function coveringQuantity(value: Billionths): Quantity {
  return quantity(Math.ceil(value / 10));
}

const DECIMALS = 9;
