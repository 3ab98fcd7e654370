// What happens to a holding without an order of its holder: a split, a dividend, the cost of financing, an expiry. All
// of it happens between a close and the next opening, before anything is decided on that close.
import type { Symbol } from '#units/identifiers.ts';

export type HoldingEvent =
  /** `ratio` new units for each old one. */
  | { readonly type: 'split'; readonly symbol: Symbol; readonly ratio: number; readonly markAfter: number }
  /** Dollars for each unit held long; a short position pays what a long one gets. */
  | {
      readonly type: 'dividend' | 'swap';
      readonly symbol: Symbol;
      readonly perUnit: number;
      readonly markAfter: number;
    }
  /** The contract ends and is settled in cash at this price, which may be zero. */
  | { readonly type: 'expiry'; readonly symbol: Symbol; readonly price: number };
