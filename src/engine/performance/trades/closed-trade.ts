// A trade from entry to exit, as the trade measures read it.
import type { Instant } from '#units/instant.ts';

export type ClosedTrade = {
  readonly enteredAt: Instant;
  readonly exitedAt: Instant;
  /** Profit and loss in money, net of commission, in any one unit. */
  readonly pnl: number;
  /** Net of commission, as a fraction of what was put in. */
  readonly return: number;
};
