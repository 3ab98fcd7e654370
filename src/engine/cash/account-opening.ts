// An account as it is before the first order of ours: what its owner holds there belongs to no deployment, and is no
// difference. Promises nothing while the account changes: then it is read again.
import type { ExecutionId, Symbol } from '#units/identifiers.ts';
import type { Instant } from '#units/instant.ts';
import { add, type Micro, subtract } from '#units/money.ts';
import { type Quantity, quantity } from '#units/quantity.ts';

export type HeldPosition = {
  /** Null where the catalogue does not have the instrument. */
  readonly symbol: Symbol | null;
  readonly brokerInstrumentId: string;
  /** Signed. */
  readonly quantity: Quantity;
};

export type AccountReading = {
  /** Read before and after the executions and the cash. */
  readonly before: readonly HeldPosition[];
  readonly after: readonly HeldPosition[];
  /** As far back as the broker keeps them. */
  readonly executions: readonly { readonly executionId: ExecutionId; readonly at: Instant }[];
  /** Fills of our orders from after the moment to which the database was restored: they are still to be booked. */
  readonly lost?: readonly LostFill[];
  readonly cash: Micro;
  readonly currency: string;
  readonly now: Instant;
  /**
   * What our books have moved there already; null before the first order. An account that has traded without an opening
   * opens without holdings: a difference there is for a person to explain.
   */
  readonly booked: Micro | null;
};

export type LostFill = {
  readonly executionId: ExecutionId;
  readonly symbol: string;
  /** Signed. */
  readonly units: Quantity;
  /** Signed: what it moved in the cash. */
  readonly moved: Micro;
};

export type AccountOpening = {
  readonly at: Instant;
  readonly cash: Micro;
  readonly currency: string;
  readonly holdings: readonly { readonly symbol: string; readonly units: Quantity }[];
  /** Part of the holdings and of the cash: never booked again. */
  readonly executions: readonly ExecutionId[];
};

/** Null while the positions change. */
export function accountOpening(reading: AccountReading): AccountOpening | null {
  const { before, after, executions, currency, now, booked, lost = [] } = reading;
  const cash = subtract(reading.cash, add(...lost.map(({ moved }) => moved)));
  const ours = new Set(lost.map(({ executionId }) => executionId));
  const held = new Map(unitsBySymbol(after));
  if (!isSame(unitsBySymbol(before), held)) return null;
  for (const { symbol, units } of lost) held.set(symbol, quantity((held.get(symbol) ?? 0) - units));
  if (booked !== null)
    return { at: now, cash: subtract(cash, booked), currency, holdings: [], executions: [] };
  return {
    at: now,
    cash,
    currency,
    holdings: [...held].filter(([, units]) => units !== 0).map(([symbol, units]) => ({ symbol, units })),
    executions: executions.map(({ executionId }) => executionId).filter((id) => !ours.has(id)),
  };
}

/** An execution that the broker lists late: its units and its money were in the account at the opening. */
export function isBeforeOpening(execution: { readonly at: Instant }, openedAt: Instant | null): boolean {
  return openedAt !== null && execution.at < openedAt;
}

function unitsBySymbol(positions: readonly HeldPosition[]): ReadonlyMap<string, Quantity> {
  const units = new Map<string, Quantity>();
  for (const { symbol, brokerInstrumentId, quantity: held } of positions) {
    const key = symbol ?? brokerInstrumentId;
    units.set(key, quantity((units.get(key) ?? 0) + held));
  }
  return new Map([...units].filter(([, held]) => held !== 0));
}

function isSame(one: ReadonlyMap<string, number>, other: ReadonlyMap<string, number>): boolean {
  return one.size === other.size && [...one].every(([symbol, units]) => other.get(symbol) === units);
}
