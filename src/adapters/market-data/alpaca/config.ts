import type { RateLimits } from '../../broker/rate-limits.ts';
import type { Naming } from '../vendor-names.ts';

/** Real-time prices of one exchange, or of all exchanges by subscription. */
export const ALPACA_FEEDS = ['iex', 'sip'] as const;
export type AlpacaFeed = (typeof ALPACA_FEEDS)[number];

/** The adapter's configuration; it reads neither environment nor files. */
export type AlpacaFeedConfig = Naming & {
  /** Prices: https://data.alpaca.markets, without a trailing slash. */
  readonly dataUrl: string;
  /** Assets, calendar and clock: https://paper-api.alpaca.markets or https://api.alpaca.markets. */
  readonly tradingUrl: string;
  readonly keyId: string;
  readonly secretKey: string;
  readonly feed: AlpacaFeed;
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
