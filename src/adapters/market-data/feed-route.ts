// Which feed serves a kind of instrument, and which one checks it.
import type { InstrumentKind } from '#engine/market/instrument.ts';
import type { MarketDataFeed } from '#ports/market-data.ts';

export type NamedFeed = { readonly name: string; readonly feed: MarketDataFeed };

export type FeedRoute = {
  readonly kind: InstrumentKind;
  readonly first: NamedFeed;
  readonly second: NamedFeed | null;
};
