// Selects the broker behind the port from the environment.
import { createPrivateKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { alpaca } from '#adapters/broker/alpaca/alpaca.ts';
import type { AlpacaConfig, BrokerTickers } from '#adapters/broker/alpaca/config.ts';
import {
  type CommonConfig,
  NO_RATE_LIMITS,
  PUBLISHED_RATE_LIMITS,
} from '#adapters/broker/interactive-brokers/config.ts';
import {
  interactiveBrokers,
  interactiveBrokersAdviser,
} from '#adapters/broker/interactive-brokers/interactive-brokers.ts';
import type { RateLimits } from '#adapters/broker/rate-limits.ts';
import { describedInstrument } from '#engine/market/derivatives/derived-instrument.ts';
import type { Instrument } from '#engine/market/instrument.ts';
import type { Broker } from '#ports/broker.ts';
import type { Symbol } from '#units/identifiers.ts';
import type { BrokerChoice } from '../environment/broker-refusal.ts';
import type { Environment } from '../environment/environment.ts';

/**
 * Each role's share of the vendor's ten requests a second per user name. A user's requests come from one trader and one
 * API or command at a time; under an adviser all belong to one user, and several traders share them.
 */
const REQUESTS_PER_SECOND = { trader: 7, api: 2, command: 1 } as const;
/** What all processes share of the broker reached at an address. */
type Shared = (server: string) => Pick<CommonConfig, 'sharedLimiterOf' | 'contractStore'>;

export type Role = keyof typeof REQUESTS_PER_SECOND;

/** The slug of the broker that the product trades with. */
export function vendorOf(choice: BrokerChoice): 'alpaca' | 'interactive-brokers' {
  return choice === 'alpaca' ? 'alpaca' : 'interactive-brokers';
}

export function connectBroker(
  { broker }: Environment,
  {
    instruments,
    role,
    shared,
    tickers,
  }: {
    readonly instruments: readonly Instrument[];
    readonly role: Role;
    /** Absent where a process is alone at the broker. */
    readonly shared?: Shared;
    /** As the vendor of the market names the instruments; absent where nothing is kept. */
    readonly tickers?: () => BrokerTickers;
  },
): Broker {
  const bySymbol = new Map<Symbol, Instrument>(
    instruments.map((instrument) => [instrument.symbol, instrument]),
  );
  const findInstrument = (symbol: Symbol) => describedInstrument(symbol, bySymbol);
  if (broker.choice === 'alpaca')
    return connectAlpaca(broker, { findInstrument, ...(tickers && { tickers }) });
  const required = (name: string, value: string | null) => setting(broker.choice, name, value);
  const baseUrl = required('BROKER_BASE_URL', broker.baseUrl);
  const common = {
    baseUrl,
    websocketUrl: broker.websocketUrl ?? undefined,
    findInstrument,
    ...(broker.clock === 'market' && { keepsMarketTime: true as const }),
    rateLimits: broker.choice === 'sandbox' ? NO_RATE_LIMITS : rateLimits(broker, role),
    ...shared?.(baseUrl),
  };
  if (broker.tenancy === 'adviser')
    return interactiveBrokersAdviser({
      ...common,
      tokenUrl: required('BROKER_TOKEN_URL', broker.tokenUrl),
      sessionUrl: required('BROKER_SESSION_URL', broker.sessionUrl),
      clientId: required('IBKR_CLIENT_ID', broker.clientId),
      keyId: required('IBKR_KEY_ID', broker.keyId),
      privateKeyPem: privateKey(broker.choice, 'IBKR_PRIVATE_KEY_FILE', broker.privateKeyFile),
      credential: required('IBKR_CREDENTIAL', broker.credential),
      ip: required('IBKR_IP', broker.ip),
    });
  return interactiveBrokers({
    ...common,
    authorizeUrl: required('BROKER_AUTHORIZE_URL', broker.authorizeUrl),
    consumerKey: required('IBKR_CONSUMER_KEY', broker.consumerKey),
    realm: broker.realm ?? 'limited_poa',
    signaturePrivateKeyPem: privateKey(broker.choice, 'IBKR_SIGNATURE_KEY_FILE', broker.signatureKeyFile),
    encryptionPrivateKeyPem: privateKey(broker.choice, 'IBKR_ENCRYPTION_KEY_FILE', broker.encryptionKeyFile),
    dhPrimeHex: required('IBKR_DH_PRIME_HEX', broker.dhPrimeHex),
  });
}

function rateLimits({ requestsPerSecond, listSpacingMs }: Environment['broker'], role: Role): RateLimits {
  const { spacingMs, ...published } = PUBLISHED_RATE_LIMITS;
  const spaced = Object.entries(spacingMs).map(([path, ms]) => [
    path,
    path === '/tickle' ? ms : (listSpacingMs ?? ms),
  ]);
  return {
    ...published,
    requestsPerSecond: requestsPerSecond ?? REQUESTS_PER_SECOND[role],
    spacingMs: Object.fromEntries(spaced) as RateLimits['spacingMs'],
  };
}

/** Beta: shares only. */
function connectAlpaca(
  broker: Environment['broker'],
  names: Pick<AlpacaConfig, 'findInstrument' | 'tickers'>,
): Broker {
  const required = (name: string, value: string | null) => setting(broker.choice, name, value);
  const connected = alpaca({
    baseUrl: required('BROKER_BASE_URL', broker.baseUrl),
    access:
      broker.alpaca.keys !== null
        ? { kind: 'keys', ...broker.alpaca.keys }
        : {
            kind: 'permission',
            authorizeUrl: required('BROKER_AUTHORIZE_URL', broker.authorizeUrl),
            tokenUrl: required('BROKER_TOKEN_URL', broker.tokenUrl),
            clientId: required('ALPACA_CLIENT_ID', broker.alpaca.clientId),
            clientSecret: required('ALPACA_CLIENT_SECRET', broker.alpaca.clientSecret),
          },
    ...names,
  });
  return { ...connected, ...(broker.clock === 'market' && { keepsMarketTime: true as const }) };
}

/** Throws an Error that names the variable which is missing. */
function setting(choice: BrokerChoice, name: string, value: string | null): string {
  if (value !== null) return value;
  throw new Error(
    choice === 'sandbox'
      ? `${name} must be set when a role runs alone; \`npm start\` sets it`
      : `${name} must be set for BROKER=${choice}; .env.example says what it is`,
  );
}

/** Throws an Error that names the variable whose file holds no private key. */
function privateKey(choice: BrokerChoice, name: string, file: string | null): string {
  const path = setting(choice, name, file);
  try {
    const pem = readFileSync(path, 'utf8');
    createPrivateKey(pem);
    return pem;
  } catch (error) {
    throw new Error(`${name} is ${path}, which holds no private key in PEM form`, { cause: error });
  }
}
