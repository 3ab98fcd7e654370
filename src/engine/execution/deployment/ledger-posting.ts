// One transaction of the double-entry ledger. Its entries sum to zero, and each cause is booked once.
// Sign: what a deployment owns or has spent is positive (cash, holdings, commission, fees), where it came from is
// negative (capital, realized when it is a profit, and payable: a fee that is billed; what is paid of it comes from outside).
import type { DeploymentId } from '#units/identifiers.ts';
import type { Instant } from '#units/instant.ts';
import type { Micro } from '#units/money.ts';
import type { Booking } from '../../portfolio/apply-fill.ts';

export type LedgerAccount =
  | 'capital'
  | 'cash'
  | 'holdings'
  | 'realized'
  | 'commission'
  | 'fees'
  | 'payable'
  | 'rounding';

export type LedgerEntry = { readonly account: LedgerAccount; readonly amount: Micro };

export type LedgerPosting = {
  readonly deploymentId: DeploymentId;
  readonly kind:
    | 'opening'
    | 'flow'
    | 'fill'
    | 'position_event'
    | 'fee'
    | 'closing'
    | 'adjustment'
    | 'commission';
  /**
   * The cause of the booking, such as 'opening:<deployment>' or 'fill:<account>:<execution>'; a second booking is
   * refused.
   */
  readonly cause: string;
  readonly at: Instant;
  /** In US dollars. Zero amounts are left out, unless all are zero. */
  readonly entries: readonly LedgerEntry[];
};

/** The four entries of a change of position. */
export function bookingEntries({ cash, holdings, realized, commission }: Booking): readonly LedgerEntry[] {
  return [
    { account: 'cash', amount: cash },
    { account: 'holdings', amount: holdings },
    { account: 'realized', amount: realized },
    { account: 'commission', amount: commission },
  ];
}
