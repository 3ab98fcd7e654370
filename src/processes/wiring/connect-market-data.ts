// Selects the market feeds behind the port from the environment.
import { streamUrlOf } from '#adapters/market-data/alpaca/config.ts';
import { alpacaFeed } from '#adapters/market-data/alpaca/alpaca-feed.ts';
import { combinedFeed, type NamedFeed } from '#adapters/market-data/combined-feed.ts';
import {
  interactiveBrokersFeed,
  type InteractiveBrokersFeedConfig,
} from '#adapters/market-data/interactive-brokers/interactive-brokers-feed.ts';
import { massiveFeed } from '#adapters/market-data/massive/massive-feed.ts';
import { sandboxFeed } from '#adapters/market-data/sandbox/sandbox-feed.ts';
import type { MarketDataFeed } from '#ports/market-data.ts';
import type { Environment } from '../environment/environment.ts';
import type { LiveMarket } from '../environment/live-market.ts';
import type { FeedName } from '../environment/market-feeds.ts';
import { required } from './required.ts';

/**
 * What the trader alone has, because there can be one of each: the stream of a pair of keys, and the session of a user name
 * whose prices may be borrowed.
 */
export type TraderPrices = { readonly borrow: InteractiveBrokersFeedConfig['borrow'] };

/** Throws an Error that names what is missing. */
export function connectMarketData(
  { live, marketFeedUrl }: Pick<Environment, 'live' | 'marketFeedUrl'>,
  trader: TraderPrices | null = null,
): MarketDataFeed {
  return live === null ? sandboxFeed(required('MARKET_FEED_URL', marketFeedUrl)) : connectLive(live, trader);
}

function connectLive(live: LiveMarket, trader: TraderPrices | null): MarketDataFeed {
  const opened = new Map<FeedName, NamedFeed>();
  const open = (name: FeedName): NamedFeed => {
    const found = opened.get(name) ?? openFeed(name, live, trader);
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

function openFeed(name: FeedName, live: LiveMarket, trader: TraderPrices | null): NamedFeed {
  switch (name) {
    case 'alpaca': {
      const streamUrl = trader === null ? undefined : streamUrlOf(live);
      return { name: 'Alpaca', feed: alpacaFeed({ ...live, streamUrl }) };
    }
    case 'massive': {
      if (live.massive === null) throw new Error('MASSIVE_API_KEY is not set');
      return { name: 'Massive', feed: massiveFeed({ ...live.massive, symbols: live.symbols }) };
    }
    case 'interactive-brokers': {
      const borrow = trader?.borrow ?? (async () => null);
      return { name: 'Interactive Brokers', feed: interactiveBrokersFeed({ borrow, symbols: live.symbols }) };
    }
    default:
      return name satisfies never;
  }
}
