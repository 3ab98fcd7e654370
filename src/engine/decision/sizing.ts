// How one instrument of a target was sized for one deployment: what was found, what was asked, what the limits left and
// how much that is. With it and the rest of the state the decision can be made again.
import type { Symbol } from '#units/identifiers.ts';
import type { Micro } from '#units/money.ts';
import type { Quantity } from '#units/quantity.ts';
import type { InstrumentTerms } from '../market/instrument.ts';

export type Sizing = {
  readonly symbol: Symbol;
  /** The price it was sized at, in its quote currency; null where there was none. */
  readonly mark: number | null;
  /** Signed, with its entry cost. */
  readonly held: Quantity;
  readonly cost: Micro;
  /** Shares of equity, signed: what the strategy asks, and what the limits leave of it; null where it was not sized. */
  readonly asked: number;
  readonly allowed: number | null;
  /** What the allowed share comes to, in whole steps; null where it was not sized. */
  readonly desired: Quantity | null;
  /** What its vendor allowed of it then; absent where none said. */
  readonly terms?: InstrumentTerms;
};

/** Filled while a target is followed, for a receipt; a backtest gives none. */
export type DecisionTrace = { readonly sizings: Sizing[] };
