// The feeds of the live market behind the port.
import { coinStreamUrlOf, streamUrlOf } from '#adapters/market-data/alpaca/config.ts';
import { alpacaFeed } from '#adapters/market-data/alpaca/alpaca-feed.ts';
import { combinedFeed } from '#adapters/market-data/combined-feed.ts';
import type { NamedFeed } from '#adapters/market-data/feed-route.ts';
import { interactiveBrokersFeed } from '#adapters/market-data/interactive-brokers/interactive-brokers-feed.ts';
import { massiveFeed } from '#adapters/market-data/massive/massive-feed.ts';
import { vendorNames } from '#adapters/market-data/vendor-names.ts';
import type { BrokerTickers } from '#adapters/broker/broker-tickers.ts';
import type { InstrumentKind } from '#engine/market/instrument.ts';
import type { FactBook, MarketDataFeed } from '#ports/market-data.ts';
import { openFactBook } from '#records/market/fact-book.ts';
import type { DatabaseHandle } from '#records/postgres/database.ts';
import type { LiveMarket } from '../environment/live-market.ts';
import type { FeedName } from '../environment/market-feeds.ts';
import type { TraderPrices } from '../wiring/world.ts';

/** What the prices of a process come with: without a book no fact is known of before. */
type PriceTools = { readonly book?: FactBook; readonly trader?: TraderPrices | null };

/** With what the records know of the instruments, and what shares are called today. */
export async function openLiveMarket(
  live: LiveMarket,
  handle: Pick<DatabaseHandle, 'database'> | null,
  trader: TraderPrices | null,
) {
  if (handle === null) return { marketData: connectLive(live, {}) };
  const book = await openFactBook(handle.database, namingVendors(live), Date.now);
  const names = vendorNames({ ...live, book }, Date.now);
  const tickers = (): BrokerTickers => {
    // Whoever else learned of a rename did so the evening before: this call need not wait.
    names.refresh().catch(() => undefined);
    const { symbolInList } = names.tickers();
    return { tickerOf: names.tickerOf, symbolOf: (ticker) => symbolInList(ticker, names.today()) };
  };
  return { marketData: connectLive(live, { book, trader }), tickers };
}

function connectLive(live: LiveMarket, tools: PriceTools): MarketDataFeed {
  const opened = new Map<FeedName, NamedFeed>();
  const open = (name: FeedName): NamedFeed => {
    const found = opened.get(name) ?? openFeed(name, live, tools);
    opened.set(name, found);
    return found;
  };
  const routes = live.feeds
    .filter(({ kind }) => instrumentsOf(kind, live).length > 0)
    .map(({ kind, first, second }) => ({
      kind,
      first: open(first),
      second: second === null ? null : open(second),
    }));
  return combinedFeed(routes);
}

function instrumentsOf(kind: InstrumentKind, live: LiveMarket): readonly string[] {
  if (kind === 'options') return live.options.underlyings;
  return kind === 'crypto' ? live.coins : live.symbols;
}

function openFeed(name: FeedName, live: LiveMarket, { book, trader = null }: PriceTools): NamedFeed {
  const naming = { symbols: live.symbols, firstTickers: live.firstTickers, ...(book && { book }) };
  switch (name) {
    case 'alpaca': {
      const symbols = isShareFeed('alpaca', live) ? live.symbols : [];
      const streams = trader !== null && {
        ...(symbols.length > 0 && { streamUrl: streamUrlOf(live) }),
        ...(live.coins.length > 0 && { coinStreamUrl: coinStreamUrlOf(live) }),
      };
      return { name: 'Alpaca', feed: alpacaFeed({ ...live, ...naming, symbols, ...streams }) };
    }
    case 'massive': {
      if (live.massive === null) throw new Error('MASSIVE_API_KEY is not set');
      return {
        name: 'Massive',
        feed: massiveFeed({ ...live.massive, ...naming, isNaming: namingVendors(live)[0] === 'massive' }),
      };
    }
    case 'interactive-brokers': {
      const borrow = trader?.borrow ?? (async () => null);
      return { name: 'Interactive Brokers', feed: interactiveBrokersFeed({ borrow, symbols: live.symbols }) };
    }
    default:
      return name satisfies never;
  }
}

function isShareFeed(name: FeedName, { feeds }: Pick<LiveMarket, 'feeds'>): boolean {
  return feeds.some(({ kind, first, second }) => kind === 'equity' && (first === name || second === name));
}

/**
 * Who says what shares are called: the first feed of shares, because exchanges give each share one ticker at every vendor. What the
 * other one said before counts for shares of which this one has said nothing yet.
 */
function namingVendors({ feeds }: Pick<LiveMarket, 'feeds'>): readonly [string, ...string[]] {
  const isMassive = feeds.some(({ kind, first }) => kind === 'equity' && first === 'massive');
  return isMassive ? ['massive', 'alpaca'] : ['alpaca', 'massive'];
}
