// What the stand-in knows of the market: the time and prices that the product's own market feed shows to anyone.

export type Listed = {
  readonly symbol: string;
  readonly kind: string;
  readonly name: string;
  readonly currency: string;
  readonly unitCurrency: string | null;
  /** In hundred-millionths of one unit. */
  readonly quantityStep: number;
  readonly priceDecimals: number;
};

export type MarketPrice = {
  readonly last: number;
  readonly bid: number;
  readonly ask: number;
  readonly open: boolean;
};

export type World = {
  /** The answer of the feed's /market/clock, whose `now` is ISO text. */
  clock(): Promise<{ readonly now: string }>;
  instruments(): Promise<readonly Listed[]>;
  prices(symbols: readonly string[]): Promise<ReadonlyMap<string, MarketPrice>>;
};

/** `feedUrl` is asked each time, since the market may be started after the broker. */
export function marketWorld(feedUrl: string): World {
  const get = async (path: string) => {
    const answer = await fetch(`${feedUrl}${path}`);
    if (!answer.ok) throw new Error(`the market feed: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as never;
  };
  return {
    clock: () => get('/market/clock'),
    async instruments() {
      const { results } = (await get('/market/instruments')) as { results: Listed[] };
      return results;
    },
    async prices(symbols) {
      if (symbols.length === 0) return new Map();
      const asked = encodeURIComponent(symbols.join(','));
      const { results } = (await get(`/market/quotes?symbols=${asked}`)) as {
        results: (MarketPrice & { symbol: string })[];
      };
      return new Map(results.map((price) => [price.symbol, price]));
    },
  };
}
