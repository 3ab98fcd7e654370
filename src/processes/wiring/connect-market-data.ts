// Selects the market feed behind the port from the environment.
import { alpacaFeed } from '#adapters/market-data/alpaca/alpaca-feed.ts';
import { sandboxFeed } from '#adapters/market-data/sandbox/sandbox-feed.ts';
import type { MarketDataFeed } from '#ports/market-data.ts';
import type { Environment } from '../environment/environment.ts';
import { required } from './required.ts';

/** Throws an Error that names what is missing. */
export function connectMarketData({
  live,
  marketFeedUrl,
}: Pick<Environment, 'live' | 'marketFeedUrl'>): MarketDataFeed {
  return live === null ? sandboxFeed(required('MARKET_FEED_URL', marketFeedUrl)) : alpacaFeed(live);
}
