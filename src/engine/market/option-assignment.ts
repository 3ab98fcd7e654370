// Contracts that were written and assigned before their expiry, as a broker lists them, and who bears them where several deployments
// of its account have written the contract.
import type { Symbol } from '#units/identifiers.ts';
import type { IsoDate } from '#units/instant.ts';
import { apportion } from '#units/apportion.ts';
import { type Quantity, quantity, toQuantity } from '#units/quantity.ts';

export type OptionAssignment = {
  /** The broker's id: it counts once. */
  readonly activityId: string;
  readonly symbol: Symbol;
  /** How many contracts; above zero. */
  readonly contracts: Quantity;
  readonly date: IsoDate;
  /** Earlier ids of the same assignment, which the broker has corrected since. */
  readonly corrects?: readonly string[];
};

/**
 * In proportion to what each has written, in whole contracts; each that rounding leaves goes to the largest remainder, and of equal
 * ones to the first. At most all of them.
 */
export function shareAssignment(assigned: Quantity, written: readonly Quantity[]): readonly Quantity[] {
  const whole = written.map((units) => Math.floor(units / CONTRACT));
  const all = whole.reduce((sum, one) => sum + one, 0);
  const total = Math.max(0, Math.min(Math.floor(assigned / CONTRACT), all));
  return (apportion(total, whole) ?? whole).map((contracts) => quantity(contracts * CONTRACT));
}

const CONTRACT: number = toQuantity(1);
