// A closing bill computed again, after something was booked later than it: a commission that its broker stated late, or a
// corrected dividend. Promises that a fee is only ever lowered, and that no cent is credited twice.
import { type Micro, micro, ZERO_MICRO } from '#units/money.ts';
import { feeBill, type FeeFigures } from './fee-bill.ts';

export type FeeCorrection = {
  readonly closingValue: Micro;
  readonly profit: Micro;
  /** As the figures are now. */
  readonly fee: Micro;
  /** Of what was owed so far; zero where the figures would ask for the same or more. */
  readonly credit: Micro;
};

type Corrected = {
  readonly figures: FeeFigures;
  /** The fee of the bill less the credits of earlier corrections. */
  readonly owed: Micro;
  /** False where the bill could not charge its client; a correction cannot either. */
  readonly isCharged: boolean;
};

export function feeCorrection({ figures, owed, isCharged }: Corrected): FeeCorrection {
  const { closingValue, profit, fee: asked } = feeBill(figures);
  const fee = isCharged ? asked : ZERO_MICRO;
  return { closingValue, profit, fee, credit: micro(Math.max(0, owed - fee)) };
}
