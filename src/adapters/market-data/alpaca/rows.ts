// The vendor's rows of prices, which shares, coins and options share: short field names, RFC 3339 times with nanoseconds.
import { z } from 'zod';
import { type Instant, parseInstant } from '#units/instant.ts';
import { parse } from '../read-answer.ts';

export type BarPage = {
  readonly rows: ReadonlyMap<string, readonly unknown[]>;
  /** Null on the last page. */
  readonly nextToken: string | null;
};

export function parseBarPage(body: unknown): BarPage {
  const { bars, next_page_token: token } = parse(BAR_PAGE, body);
  return { rows: new Map(Object.entries(bars)), nextToken: token === '' ? null : token };
}

type PriceBar = z.infer<typeof BAR>;

/** The bar in a row, or what is wrong with it. */
export function parseBar(row: unknown): PriceBar | string {
  const read = BAR.safeParse(row);
  return read.success ? read.data : z.prettifyError(read.error);
}

export type Snapshot = {
  /** Null for what has not traded. */
  readonly trade: { readonly price: number; readonly at: Instant } | null;
  /** Null for a side without an order. */
  readonly bid: number | null;
  readonly ask: number | null;
  /** Null without a quote. */
  readonly quotedAt: Instant | null;
};

/** The later trade and the later quote of the two; of the same moment, those of the second. */
export function newerOf(one: Snapshot | undefined, other: Snapshot): Snapshot {
  if (one === undefined) return other;
  const isOlder = (left: Instant | undefined | null, right: Instant | undefined | null) =>
    (left ?? 0) < (right ?? 0);
  const trade = isOlder(other.trade?.at, one.trade?.at) ? one.trade : other.trade;
  const { bid, ask, quotedAt } = isOlder(other.quotedAt, one.quotedAt) ? one : other;
  return { trade, bid, ask, quotedAt };
}

/** By symbol, without those that the vendor knows nothing of. Shares lie at the top, coins and options under `snapshots`. */
export function parseSnapshots(body: unknown): ReadonlyMap<string, Snapshot> {
  const outer = parse(z.record(z.string(), z.unknown()), body);
  const bySymbol = parse(SNAPSHOTS, 'snapshots' in outer ? outer.snapshots : outer);
  const found = new Map<string, Snapshot>();
  for (const [symbol, snapshot] of Object.entries(bySymbol)) {
    if (snapshot === null) continue;
    const { latestTrade: trade, latestQuote: quote } = snapshot;
    found.set(symbol, {
      trade: trade ? { price: trade.p, at: trade.t } : null,
      bid: quote && quote.bp !== 0 ? quote.bp : null,
      ask: quote && quote.ap !== 0 ? quote.ap : null,
      quotedAt: quote?.t ?? null,
    });
  }
  return found;
}

/** Milliseconds; the vendor's further digits are left out. */
export const time = z.iso.datetime({ offset: true }).transform((text): Instant => parseInstant(text));

const number = z.number();
const BAR_PAGE = z.object({
  bars: z.record(z.string(), z.array(z.unknown())),
  next_page_token: z.string().nullable(),
});
const BAR = z.object({ t: time, o: number, h: number, l: number, c: number, v: number });
export const TRADE = z.object({ t: time, p: number });
export const QUOTE = z.object({ t: time, bp: number, ap: number });
const SNAPSHOTS = z.record(
  z.string(),
  z.object({ latestTrade: TRADE.nullish(), latestQuote: QUOTE.nullish() }).nullable(),
);
