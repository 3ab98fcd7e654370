// Dollars in the sentences of rules, notices and statements.
import { type Micro, MICRO_PER_UNIT, toCents } from '#units/money.ts';

/** $5,000, $5,000.50, -$12.07. Cents are rounded half-even. */
export function dollars(amount: Micro): string {
  const cents = Math.round(Math.abs(toCents(amount)) * 100);
  const whole = grouped(Math.trunc(cents / 100));
  const rest = cents % 100;
  const sign = amount < 0 && cents > 0 ? '-' : '';
  return `${sign}$${whole}${rest === 0 ? '' : `.${String(rest).padStart(2, '0')}`}`;
}

/** All six decimals where they are needed, and always the cents, so that a reader can compute with it: $5,000.00, $0.123456. */
export function exactDollars(amount: Micro): string {
  const size = Math.abs(amount);
  const decimals = String(size % MICRO_PER_UNIT)
    .padStart(6, '0')
    .replace(/0{1,4}$/, '');
  return `${amount < 0 ? '-' : ''}$${grouped(Math.trunc(size / MICRO_PER_UNIT))}.${decimals}`;
}

function grouped(whole: number): string {
  return String(whole).replace(/\B(?=(\d{3})+$)/g, ',');
}
