import type { MarketDataFailure } from '#ports/market-data.ts';

/** Ends one look; the next tries again. */
export class FeedFailed extends Error {
  readonly failure: MarketDataFailure;

  constructor(failure: MarketDataFailure) {
    super(failure.message);
    this.failure = failure;
  }
}
