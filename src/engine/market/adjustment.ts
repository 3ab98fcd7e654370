// People correct the books of a deployment: an execution that its broker changed or took back, or a quantity that the
// broker holds without a reported execution. It causes no trade.
import type { Symbol } from '#units/identifiers.ts';
import { type Micro, scale } from '#units/money.ts';
import { type Quantity, quantity, ZERO_QUANTITY } from '#units/quantity.ts';

export type AdjustedTrade = {
  /** Signed: bought or sold, in current units. */
  readonly units: Quantity;
  /** In the quote currency. */
  readonly price: number;
  /** In dollars, positive when it was paid. */
  readonly commission: Micro;
};

export type Adjustment = {
  readonly type: 'adjustment';
  readonly symbol: Symbol;
  /** A booked execution to reverse, with the profit in dollars that its booking realised; null when none is reversed. */
  readonly undoes: (AdjustedTrade & { readonly profit: Micro }) | null;
  /** What is booked, as a replacement or on its own; null when nothing is. */
  readonly books: AdjustedTrade | null;
  /**
   * Positive: what it would leave a long-only deployment short of. The books stay unchanged for that quantity. Left out
   * when all of it is booked.
   */
  readonly shortfall?: Quantity;
};

type Units = Pick<Adjustment, 'undoes' | 'books' | 'shortfall'>;

/** The signed change of the position. */
export function netUnits({ undoes, books, shortfall = ZERO_QUANTITY }: Units): Quantity {
  return quantity((books?.units ?? 0) - (undoes?.units ?? 0) + shortfall);
}

/** How far it would take the position below zero, or further below than it is already. */
export function shortfallOf(held: Quantity, whole: Units): Quantity {
  const after = held + netUnits(whole);
  return quantity(Math.max(0, Math.min(0, held) - after));
}

/**
 * The part of it that is booked. For a reversed purchase, the units that would fall short stay as they were bought;
 * beyond these, that many units of a sale are not booked. Commission and profit are those of the booked units. Throws
 * RangeError when the shortfall exceeds the correction.
 */
export function withoutShortfall({ undoes, books, shortfall = ZERO_QUANTITY }: Units): {
  readonly undoes: Adjustment['undoes'];
  readonly books: Adjustment['books'];
} {
  if (shortfall === 0) return { undoes, books };
  const stays = Math.min(shortfall, Math.max(0, undoes?.units ?? 0));
  const unsold = shortfall - stays;
  if (unsold > Math.max(0, -(books?.units ?? 0)))
    throw new RangeError(`${shortfall} cannot fall short of what is corrected`);
  const undone = undoes && part(undoes, stays);
  return {
    undoes: undone && { ...undone, profit: scale(undoes.profit, undone.units / undoes.units) },
    books: books && part(books, -unsold),
  };
}

/** Null when nothing of it is left. */
function part<Trade extends AdjustedTrade>(trade: Trade, without: number): Trade | null {
  const units = quantity(trade.units - without);
  if (units === 0) return null;
  return { ...trade, units, commission: scale(trade.commission, units / trade.units) };
}
