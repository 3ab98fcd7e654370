import type { FactBook } from '#ports/market-data.ts';
import type { RateLimits } from '../../broker/rate-limits.ts';

/** Real-time prices of one exchange, or of all exchanges by subscription. */
export const ALPACA_FEEDS = ['iex', 'sip'] as const;
export type AlpacaFeed = (typeof ALPACA_FEEDS)[number];

/** The adapter's configuration; it reads neither environment nor files. */
export type AlpacaFeedConfig = {
  /** Prices: https://data.alpaca.markets, without a trailing slash. */
  readonly dataUrl: string;
  /** Assets, calendar and clock: https://paper-api.alpaca.markets or https://api.alpaca.markets. */
  readonly tradingUrl: string;
  readonly keyId: string;
  readonly secretKey: string;
  readonly feed: AlpacaFeed;
  /** The instruments that the market has, by our symbols. */
  readonly symbols: readonly string[];
  /** The vendor's tickers of those that are not called like their symbols, for when no fact of them is known yet. */
  readonly firstTickers?: Readonly<Record<string, string>>;
  /** What was learned of them; absent where nothing is kept. */
  readonly book?: FactBook;
  readonly timeoutMs?: number;
  readonly rateLimits?: RateLimits;
  readonly now?: () => number;
  readonly fetch?: typeof globalThis.fetch;
};

/** 200 requests a minute for one pair of keys, on the free plan. The trader asks most: API and commands keep a quarter. */
export const FREE_PLAN_LIMITS: RateLimits = {
  requestsPerSecond: 150 / 60,
  spacingMs: {},
  backOffMs: 60_000,
};
