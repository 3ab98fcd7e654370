// The vendor's snapshots: the last trade and the best bid and ask of each share.
import { z } from 'zod';
import { type Instant, instant } from '#units/instant.ts';
import { parse } from '../read-answer.ts';

export type Snapshot = {
  readonly last: number;
  readonly at: Instant;
  /** Null for a side without an order. */
  readonly bid: number | null;
  readonly ask: number | null;
};

/** By ticker, without those that have not traded since the vendor cleared them at night. */
export function parseSnapshots(body: unknown): ReadonlyMap<string, Snapshot> {
  const found = new Map<string, Snapshot>();
  for (const { ticker, lastTrade: trade, lastQuote: quote } of parse(SNAPSHOTS, body).tickers) {
    if (!trade?.p) continue;
    found.set(ticker, {
      last: trade.p,
      at: instant(Math.floor(trade.t / NANOSECONDS_PER_MS)),
      bid: quote?.p || null,
      ask: quote?.P || null,
    });
  }
  return found;
}

const NANOSECONDS_PER_MS = 1e6;
const price = z.number().nonnegative();
const SNAPSHOTS = z.object({
  tickers: z.array(
    z.object({
      ticker: z.string().min(1),
      lastTrade: z.object({ p: price, t: z.number().nonnegative() }).nullish(),
      /** `p` is the bid and `P` the ask. */
      lastQuote: z.object({ p: price, P: price }).partial().nullish(),
    }),
  ),
});
