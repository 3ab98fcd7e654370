import type { Instrument } from '#engine/market/instrument.ts';
import type { Symbol } from '#units/identifiers.ts';
import type { RateLimits } from '../rate-limits.ts';

/** The adapter's configuration; it reads neither environment nor files. */
export type AlpacaConfig = {
  /** The trading API: https://paper-api.alpaca.markets or https://api.alpaca.markets, without a trailing slash. */
  readonly baseUrl: string;
  /** The page where a user gives permission, https://app.alpaca.markets/oauth/authorize. */
  readonly authorizeUrl: string;
  /** The token endpoint, https://api.alpaca.markets/oauth/token. */
  readonly tokenUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly findInstrument: (symbol: Symbol) => Instrument | null;
  readonly timeoutMs?: number;
  readonly rateLimits?: RateLimits;
  readonly now?: () => number;
  readonly fetch?: typeof globalThis.fetch;
};

/** 200 requests per minute and account. */
export const PUBLISHED_RATE_LIMITS: RateLimits = {
  requestsPerSecond: 200 / 60,
  spacingMs: {},
  backOffMs: 60_000,
};
