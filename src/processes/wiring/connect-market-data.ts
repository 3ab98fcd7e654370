// Selects the market feeds behind the port from the environment.
import { alpacaFeed } from '#adapters/market-data/alpaca/alpaca-feed.ts';
import { combinedFeed, type NamedFeed } from '#adapters/market-data/combined-feed.ts';
import { massiveFeed } from '#adapters/market-data/massive/massive-feed.ts';
import { sandboxFeed } from '#adapters/market-data/sandbox/sandbox-feed.ts';
import { vendorNames } from '#adapters/market-data/vendor-names.ts';
import type { BrokerTickers } from '#adapters/broker/broker-tickers.ts';
import type { FactBook, MarketDataFeed } from '#ports/market-data.ts';
import { openFactBook } from '#records/market/fact-book.ts';
import type { DatabaseHandle } from '#records/postgres/database.ts';
import type { Environment } from '../environment/environment.ts';
import type { LiveMarket } from '../environment/live-market.ts';
import type { FeedName } from '../environment/market-feeds.ts';
import { required } from './required.ts';

/** Without a book no fact is known of before. Throws an Error that names what is missing. */
export function connectMarketData(
  { live, marketFeedUrl }: Pick<Environment, 'live' | 'marketFeedUrl'>,
  book?: FactBook,
): MarketDataFeed {
  return live === null ? sandboxFeed(required('MARKET_FEED_URL', marketFeedUrl)) : connectLive(live, book);
}

/** With what the records know of the instruments, and what shares are called today. */
export async function openMarketData(
  environment: Pick<Environment, 'live' | 'marketFeedUrl'>,
  { database }: Pick<DatabaseHandle, 'database'>,
) {
  const { live } = environment;
  if (live === null) return { marketData: connectMarketData(environment) };
  const book = await openFactBook(database, NAMING_VENDOR, Date.now);
  const names = vendorNames({ ...live, book }, Date.now);
  const tickers = (): BrokerTickers => {
    // Whoever else learned of a rename did so the evening before: this call need not wait.
    names.refresh().catch(() => undefined);
    const { symbolInList } = names.tickers();
    return { tickerOf: names.tickerOf, symbolOf: (ticker) => symbolInList(ticker, names.today()) };
  };
  return { marketData: connectMarketData(environment, book), tickers };
}

function connectLive(live: LiveMarket, book?: FactBook): MarketDataFeed {
  const opened = new Map<FeedName, NamedFeed>();
  const open = (name: FeedName): NamedFeed => {
    const found = opened.get(name) ?? openFeed(name, live, book);
    opened.set(name, found);
    return found;
  };
  const routes = live.feeds.map(({ kind, first, second }) => ({
    kind,
    first: open(first),
    second: second === null ? null : open(second),
  }));
  return combinedFeed(routes);
}

function openFeed(name: FeedName, live: LiveMarket, book?: FactBook): NamedFeed {
  const naming = { symbols: live.symbols, firstTickers: live.firstTickers, ...(book && { book }) };
  switch (name) {
    case 'alpaca':
      return { name: 'Alpaca', feed: alpacaFeed({ ...live, ...naming }) };
    case 'massive': {
      if (live.massive === null) throw new Error('MASSIVE_API_KEY is not set');
      return { name: 'Massive', feed: massiveFeed({ ...live.massive, ...naming }) };
    }
    default:
      return name satisfies never;
  }
}

/** Who says what shares are called: its exchanges give each share one ticker, at every vendor. */
const NAMING_VENDOR = 'alpaca';
