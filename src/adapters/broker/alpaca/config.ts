import type { Instrument } from '#engine/market/instrument.ts';
import type { Symbol } from '#units/identifiers.ts';
import type { RateLimits } from '../rate-limits.ts';

/** The adapter's configuration; it reads neither environment nor files. */
export type AlpacaConfig = {
  /** The trading API: https://paper-api.alpaca.markets or https://api.alpaca.markets, without a trailing slash. */
  readonly baseUrl: string;
  readonly access: AlpacaAccess;
  readonly findInstrument: (symbol: Symbol) => Instrument | null;
  /** The broker's tickers of today; absent where they are our symbols. */
  readonly tickers?: () => BrokerTickers;
  readonly timeoutMs?: number;
  readonly rateLimits?: RateLimits;
  readonly now?: () => number;
  readonly fetch?: typeof globalThis.fetch;
};

export type BrokerTickers = {
  readonly tickerOf: (symbol: Symbol) => string;
  /** Null for another company's. */
  readonly symbolOf: (ticker: string) => Symbol | null;
};

/** permission: each client gives it to us (OAuth 2). keys: of one account, whose owner runs this installation. */
export type AlpacaAccess =
  | ({ readonly kind: 'permission' } & AlpacaClient)
  | { readonly kind: 'keys'; readonly keyId: string; readonly secretKey: string };

export type AlpacaClient = {
  /** The page where a user gives permission, https://app.alpaca.markets/oauth/authorize. */
  readonly authorizeUrl: string;
  /** The token endpoint, https://api.alpaca.markets/oauth/token. */
  readonly tokenUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
};

/** 200 requests per minute and account. */
export const PUBLISHED_RATE_LIMITS: RateLimits = {
  requestsPerSecond: 200 / 60,
  spacingMs: {},
  backOffMs: 60_000,
};
