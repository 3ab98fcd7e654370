// Selects the market feed behind the port from the environment.
import { alpacaFeed } from '#adapters/market-data/alpaca/alpaca-feed.ts';
import { sandboxFeed } from '#adapters/market-data/sandbox/sandbox-feed.ts';
import { vendorDate } from '#adapters/market-data/alpaca/vendor-names.ts';
import type { BrokerTickers } from '#adapters/broker/alpaca/config.ts';
import { tickersOf } from '#engine/market/tickers.ts';
import type { FactBook, MarketDataFeed } from '#ports/market-data.ts';
import { openFactBook } from '#records/market/fact-book.ts';
import type { DatabaseHandle } from '#records/postgres/database.ts';
import type { Environment } from '../environment/environment.ts';
import { required } from './required.ts';

/** Without a book no fact is known of before. Throws an Error that names what is missing. */
export function connectMarketData(
  { live, marketFeedUrl }: Pick<Environment, 'live' | 'marketFeedUrl'>,
  book?: FactBook,
): MarketDataFeed {
  if (live === null) return sandboxFeed(required('MARKET_FEED_URL', marketFeedUrl));
  return alpacaFeed({ ...live, ...(book && { book }) });
}

/** With what the records know of the instruments, and how the vendor names them today. */
export async function openMarketData(environment: Environment, { database }: DatabaseHandle) {
  if (environment.live === null) return { marketData: connectMarketData(environment) };
  const book = await openFactBook(database, 'alpaca', Date.now);
  const marketData = connectMarketData(environment, book);
  const tickers = (): BrokerTickers => {
    const named = tickersOf(book.facts());
    const today = vendorDate(Date.now());
    return {
      tickerOf: (symbol) => named.tickerOn(symbol, today),
      symbolOf: (ticker) => named.symbolInList(ticker, today),
    };
  };
  return { marketData, tickers };
}
