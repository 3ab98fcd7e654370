// Contracts that were written and assigned before their expiry, as a broker lists them.
import type { Symbol } from '#units/identifiers.ts';
import type { IsoDate } from '#units/instant.ts';
import type { Quantity } from '#units/quantity.ts';

export type OptionAssignment = {
  /** The broker's id: it counts once. */
  readonly activityId: string;
  readonly symbol: Symbol;
  /** How many contracts; above zero. */
  readonly contracts: Quantity;
  readonly date: IsoDate;
};
