// Dollars in the sentences of rules and notices: $5,000, $5,000.50, -$12.07. Cents are rounded half-even.
import { type Micro, toCents } from '#units/money.ts';

export function dollars(amount: Micro): string {
  const cents = Math.round(Math.abs(toCents(amount)) * 100);
  const whole = String(Math.trunc(cents / 100)).replace(/\B(?=(\d{3})+$)/g, ',');
  const rest = cents % 100;
  const sign = amount < 0 && cents > 0 ? '-' : '';
  return `${sign}$${whole}${rest === 0 ? '' : `.${String(rest).padStart(2, '0')}`}`;
}
