// What a deployment holds: cash and positions. A portfolio changes only by applying a fill (see apply-fill.ts).
import type { Symbol } from '#units/identifiers.ts';
import type { Micro } from '#units/money.ts';
import type { Quantity } from '#units/quantity.ts';

export type Position = {
  readonly symbol: Symbol;
  /** Signed: negative is short. Never zero; a closed position is absent. */
  readonly quantity: Quantity;
  /** The entry cost of the open quantity, signed like it, in the quote currency, commission excluded. */
  readonly cost: Micro;
};

export type Portfolio = {
  /** In the base currency, US dollars. */
  readonly cash: Micro;
  readonly positions: ReadonlyMap<Symbol, Position>;
  /** Realised profit and loss since the start, in the base currency, net of every commission paid. */
  readonly realized: Micro;
};
