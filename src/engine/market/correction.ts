// People put the books of a deployment right: an execution that its broker changed or took back, or a quantity that the
// broker holds and no execution told of. Nothing is traded by it.
import type { Symbol } from '#units/identifiers.ts';
import type { Micro } from '#units/money.ts';
import type { Quantity } from '#units/quantity.ts';

export type CorrectedTrade = {
  /** Signed: bought or sold, in units of now. */
  readonly units: Quantity;
  /** In the quote currency. */
  readonly price: number;
  /** In dollars, positive when it was paid. */
  readonly commission: Micro;
};

export type Correction = {
  readonly type: 'correction';
  readonly symbol: Symbol;
  /** A booked execution that counts no more, with the profit in dollars that its booking realised; null when all count. */
  readonly undoes: (CorrectedTrade & { readonly profit: Micro }) | null;
  /** What is booked, in its place or by itself; null when nothing is. */
  readonly books: CorrectedTrade | null;
};

/** What it makes more or less of the position. */
export function netUnits({ undoes, books }: Pick<Correction, 'undoes' | 'books'>): Quantity {
  return ((books?.units ?? 0) - (undoes?.units ?? 0)) as Quantity;
}
