// Which of an account's reconciliation breaks are written and ended: a lasting break is written once, and again when it
// changes; a break that is gone is ended.
import type { Symbol } from '#units/identifiers.ts';
import type { Quantity } from '#units/quantity.ts';
import { breakSlot, type PositionBreak, type PositionReconciliation } from './reconcile-positions.ts';

/** The key of each recorded break, by its slot. */
export type WrittenBreaks = ReadonlyMap<string, string>;

export type BreakUpdates = {
  readonly lasting: readonly PositionBreak[];
  /** Slots. */
  readonly cleared: readonly string[];
  /** The recorded breaks afterwards. */
  readonly written: WrittenBreaks;
};

/** Null when the records are up to date. */
export function breakUpdates(
  { lasting, cleared }: Pick<PositionReconciliation, 'lasting' | 'cleared'>,
  before: WrittenBreaks,
): BreakUpdates | null {
  const fresh = lasting.filter((one) => before.get(breakSlot(one)) !== breakKey(one));
  const over = cleared.map(breakSlot).filter((slot) => before.has(slot));
  if (fresh.length === 0 && over.length === 0) return null;
  const written = new Map(before);
  for (const one of fresh) written.set(breakSlot(one), breakKey(one));
  for (const slot of over) written.delete(slot);
  return { lasting: fresh, cleared: over, written };
}

/** Equal for equal quantities and trades. */
export function breakKey({ ours, external, theirs, units, price, tradedAt }: PositionBreak): string {
  return `${ours} ${external} ${theirs} ${units} ${price} ${tradedAt}`;
}

/** A position report as holdings by symbol; instruments outside the catalogue are not ours. */
export function heldBySymbol(
  reported: readonly { readonly symbol: Symbol | null; readonly quantity: Quantity }[],
): ReadonlyMap<Symbol, number> {
  return new Map(reported.flatMap(({ symbol, quantity }) => (symbol === null ? [] : [[symbol, quantity]])));
}
