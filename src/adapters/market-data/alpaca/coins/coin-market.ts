// Coins at the vendor, for dollars, around the clock. Their price is the newer of the last trade and the middle of the book, as
// in the vendor's own bars: minutes pass without a trade.
import type { StatedFact } from '#engine/market/instrument-fact.ts';
import type { Instrument } from '#engine/market/instrument.ts';
import type { FeedBars, MarketDataAnswer, MarketQuote } from '#ports/market-data.ts';
import type { Symbol } from '#units/identifiers.ts';
import { HOUR_MS, type Instant, type IsoDate, MINUTE_MS } from '#units/instant.ts';
import { keepAnswer } from '../../keep-answer.ts';
import { keepSnapshots } from '../keep-snapshots.ts';
import type { Requests } from '../requests.ts';
import { parseSnapshots, type Snapshot } from '../rows.ts';
import type { PriceStream } from '../stream/price-stream.ts';
import { completeCoinDays, listCoinBars } from './coin-bars.ts';
import { coinSymbol, listCoins } from './coin-listing.ts';

export type CoinMarket = {
  has(symbol: Symbol): boolean;
  instruments(): Promise<MarketDataAnswer<readonly Instrument[]>>;
  facts(): Promise<MarketDataAnswer<readonly StatedFact[]>>;
  dailyBars(symbol: Symbol, from: IsoDate, to: IsoDate): Promise<MarketDataAnswer<FeedBars>>;
  quotes(symbols: readonly Symbol[]): Promise<MarketDataAnswer<readonly MarketQuote[]>>;
};

export function coinMarket(
  requests: Requests,
  {
    pairs,
    stream,
    now,
  }: { readonly pairs: readonly string[]; readonly stream: PriceStream | null; readonly now: () => number },
): CoinMarket {
  const pairOf = new Map(pairs.map((pair) => [coinSymbol(pair), pair]));
  const listings = keepAnswer(HOUR_MS, now, () => listCoins(requests, pairs));
  const ask = () =>
    requests.data('/v1beta3/crypto/us/snapshots', { symbols: pairs.join(',') }, parseSnapshots);
  const snapshots = keepSnapshots(ask, stream, now);
  const bars = keepCoinBars(requests, now);
  return {
    has: (symbol) => pairOf.has(symbol),
    async instruments() {
      const listed = await listings();
      return listed.ok ? { ok: true, value: listed.value.map(({ instrument }) => instrument) } : listed;
    },
    async facts() {
      const listed = await listings();
      return listed.ok ? { ok: true, value: listed.value.flatMap(({ facts }) => facts) } : listed;
    },
    dailyBars: (symbol, from, to) => bars(pairOf.get(symbol)!, { from, to }),
    async quotes(symbols) {
      if (symbols.length === 0) return { ok: true, value: [] };
      const [listed, found] = await Promise.all([listings(), snapshots()]);
      if (!listed.ok) return listed;
      if (!found.ok) return found;
      const isBarred = new Set(
        listed.value.flatMap(({ isTradable, instrument }) => (isTradable ? [] : [instrument.symbol])),
      );
      const value = symbols.flatMap((symbol) => {
        const quote = isBarred.has(symbol) ? null : quoteOf(symbol, found.value.get(pairOf.get(symbol)!));
        return quote ?? [];
      });
      return { ok: true, value };
    },
  };
}

/** The newest range of each coin: the vendor may correct it, and is asked again after a minute. */
function keepCoinBars(requests: Requests, now: () => number) {
  type Kept = { readonly range: string; readonly list: () => Promise<MarketDataAnswer<FeedBars>> };
  const kept = new Map<string, Kept>();
  return async (
    pair: string,
    days: { readonly from: IsoDate; readonly to: IsoDate },
  ): Promise<MarketDataAnswer<FeedBars>> => {
    const complete = completeCoinDays(days, now());
    if (complete === null) return { ok: true, value: { bars: [], malformed: null } };
    const range = `${complete.from} ${complete.to}`;
    const same = kept.get(pair);
    if (same?.range === range) return same.list();
    const list = keepAnswer(MINUTE_MS, now, () => listCoinBars(requests, pair, complete));
    kept.set(pair, { range, list });
    return list();
  };
}

function quoteOf(symbol: Symbol, snapshot: Snapshot | undefined): MarketQuote | null {
  const price = snapshot && newestPrice(snapshot);
  if (!snapshot || !price) return null;
  const { price: last, at } = price;
  return { symbol, last, bid: snapshot.bid ?? last, ask: snapshot.ask ?? last, open: true, at };
}

function newestPrice({ trade, bid, ask, quotedAt }: Snapshot): { price: number; at: Instant } | null {
  if (bid === null || ask === null || quotedAt === null || bid > ask) return trade;
  return trade !== null && trade.at >= quotedAt ? trade : { price: (bid + ask) / 2, at: quotedAt };
}
