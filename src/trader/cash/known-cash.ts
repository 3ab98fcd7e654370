import type { Instant, IsoDate } from '#units/instant.ts';
import type { Micro } from '#units/money.ts';

/** What a trader remembers of the cash of an account from one look to the next. */
export type KnownCash = {
  /** Of the newest statement; null before the first. */
  readonly date: IsoDate | null;
  readonly isFinal: boolean;
  readonly hasBreak: boolean;
  /** The session whose cash needs no further look: it is stated and explained, or the account was opened after it. */
  readonly settled: IsoDate | null;
  /** The unexplained amount at the last look, if nothing was under way then. */
  readonly seen: Micro | null;
  /** When the broker was last asked for fees in coins, with a statement or without. Trading clock. */
  readonly feesReadAt: Instant;
};
