import type { Instrument } from '#engine/market/instrument.ts';
import type { Symbol } from '#units/identifiers.ts';
import type { BrokerTickers } from '../broker-tickers.ts';
import type { RateLimits } from '../rate-limits.ts';
import { ARRIVAL_MAX_MS } from '../request-window.ts';
import type { SharedWindow } from '../shared-window.ts';

/** The adapter's configuration; it reads neither environment nor files. */
export type AlpacaConfig = {
  /** The trading API: https://paper-api.alpaca.markets or https://api.alpaca.markets, without a trailing slash. */
  readonly baseUrl: string;
  /** The stream of order events; `/stream` of the trading API by default. */
  readonly streamUrl?: string;
  readonly access: AlpacaAccess;
  readonly findInstrument: (symbol: Symbol) => Instrument | null;
  /** What shares are called today; absent where they are called by our symbols. */
  readonly tickers?: () => BrokerTickers;
  readonly timeoutMs?: number;
  readonly rateLimits?: RateLimits;
  /** The requests that other processes send for the same user, identified by a hash. */
  readonly sharedWindowOf?: (userHash: string) => SharedWindow;
  readonly now?: () => number;
  readonly fetch?: typeof globalThis.fetch;
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

/** 200 requests per minute and account: places for those of all processes, and how long each is taken. */
export const SHARED_PLACES = { places: 200, countsMs: 60_000 + ARRIVAL_MAX_MS };

/** 200 requests per minute and account. */
export const PUBLISHED_RATE_LIMITS: RateLimits = {
  requestsPerSecond: 200 / 60,
  spacingMs: {},
  backOffMs: 60_000,
};

/** Orders that work, orders that ended, positions, cash, fills and what else moved the cash. */
const REQUESTS_OF_A_LOOK = 6;

/** Looks take half of the requests; orders and cancellations have the rest. */
export function listsEveryMs({ requestsPerSecond }: RateLimits): number {
  return Math.ceil((2_000 * REQUESTS_OF_A_LOOK) / requestsPerSecond);
}
