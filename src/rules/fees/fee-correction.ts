// A closing bill computed again, after something was booked later than it: a commission that its broker stated late, or a
// corrected dividend. Promises that a fee is only ever lowered, and that no cent is credited twice.
import { type Micro, micro } from '#units/money.ts';
import { feeBill, type FeeFigures } from './fee-bill.ts';

export type FeeCorrection = {
  readonly closingValue: Micro;
  readonly profit: Micro;
  /** As the figures are now. */
  readonly fee: Micro;
  /** Of what was owed so far; zero where the figures would ask for the same or more. */
  readonly credit: Micro;
};

/** `owed`: the fee of the bill less the credits of earlier corrections. */
export function feeCorrection(figures: FeeFigures, owed: Micro): FeeCorrection {
  const { closingValue, profit, fee } = feeBill(figures);
  return { closingValue, profit, fee, credit: micro(Math.max(0, owed - fee)) };
}
