import type { Instrument } from '#engine/market/instrument.ts';
import type { Symbol } from '#units/identifiers.ts';
import type { BrokerTickers } from '../broker-tickers.ts';
import type { RateLimits } from '../rate-limits.ts';
import type { ContractStore } from './market-data/contract-store.ts';
import type { SharedRateLimiter } from '../rate-limiter.ts';

/** The adapter's configuration in either tenancy; it reads neither environment nor files. */
export type CommonConfig = {
  /** The REST base, ending in /v1/api, without a trailing slash. */
  readonly baseUrl: string;
  /** The stream's address; by default the REST base plus /ws. Null: no stream, only polling. */
  readonly websocketUrl?: string | null;
  readonly findInstrument: (symbol: Symbol) => Instrument | null;
  /** What shares are called today; absent where they are called by our symbols. */
  readonly tickers?: () => BrokerTickers;
  /** For the sandbox brokerage: see the port. */
  readonly keepsMarketTime?: true;
  /** How long a request may take before its answer counts as lost. */
  readonly timeoutMs?: number;
  /** Whether opening our session may end the user's own elsewhere. The vendor allows one per user name. */
  readonly compete?: boolean;
  readonly rateLimits?: RateLimits;
  /** The limits that other processes share for the same user, identified by a hash. */
  readonly sharedLimiterOf?: (userHash: string) => SharedRateLimiter;
  /** The contract ids that other processes share. */
  readonly contractStore?: ContractStore;
  readonly now?: () => number;
  /** How requests are sent and how the adapter waits; a simulation supplies its own. */
  readonly fetch?: typeof globalThis.fetch;
  readonly sleep?: (ms: number) => Promise<void>;
};

/** Each user gives us permission for their own user name: OAuth 1.0a, the only method open to third parties. */
export type PersonConfig = CommonConfig & {
  /** The page where the person gives permission; `?oauth_token=` is added. */
  readonly authorizeUrl: string;
  readonly consumerKey: string;
  /** 'limited_poa', or 'test_realm' for the vendor's demonstration consumer. */
  readonly realm: string;
  readonly signaturePrivateKeyPem: string;
  readonly encryptionPrivateKeyPem: string;
  /** The registered Diffie-Hellman prime; the generator is 2. */
  readonly dhPrimeHex: string;
};

/** The users are clients of an adviser, whose single user name trades all their accounts: OAuth 2.0. */
export type AdviserConfig = CommonConfig & {
  /** The vendor's token endpoint, such as https://api.ibkr.com/oauth2/api/v1/token. */
  readonly tokenUrl: string;
  /** The vendor's session endpoint, such as https://api.ibkr.com/gw/api/v1/sso-sessions. */
  readonly sessionUrl: string;
  readonly clientId: string;
  /** The id under which the vendor knows our key. */
  readonly keyId: string;
  readonly privateKeyPem: string;
  /** The adviser's user name. */
  readonly credential: string;
  /** The IP address of our requests: the session is bound to it. */
  readonly ip: string;
};

/** The vendor's published limits; where its documentation disagrees (10 or 50 a second), the lower one. */
export const PUBLISHED_RATE_LIMITS: RateLimits = {
  requestsPerSecond: 10,
  spacingMs: {
    '/iserver/account/trades': 5_000,
    '/iserver/account/orders': 5_000,
    '/portfolio/accounts': 5_000,
    '/tickle': 1_000,
  },
  backOffMs: 600_000,
};

/** For a brokerage on the same machine, which penalises no one. */
export const NO_RATE_LIMITS: RateLimits = { requestsPerSecond: 100_000, spacingMs: {}, backOffMs: 1_000 };
