// Selects the broker behind the port from the environment.
import { readFileSync } from 'node:fs';
import { alpaca } from '#adapters/broker/alpaca/alpaca.ts';
import {
  type CommonConfig,
  NO_RATE_LIMITS,
  PUBLISHED_RATE_LIMITS,
} from '#adapters/broker/interactive-brokers/config.ts';
import {
  interactiveBrokers,
  interactiveBrokersAdviser,
} from '#adapters/broker/interactive-brokers/interactive-brokers.ts';
import { describedInstrument } from '#engine/market/derivatives/derived-instrument.ts';
import type { Instrument } from '#engine/market/instrument.ts';
import type { Broker } from '#ports/broker.ts';
import type { Symbol } from '#units/identifiers.ts';
import type { Environment } from '../environment/environment.ts';
import { required } from './required.ts';

/**
 * Each role's share of the vendor's ten requests a second per user name. A user's requests come from one trader and one
 * API or command at a time; under an adviser all belong to one user, and several traders share them.
 */
const REQUESTS_PER_SECOND = { trader: 7, api: 2, command: 1 } as const;
/** What all processes share of the broker reached at an address. */
type Shared = (server: string) => Pick<CommonConfig, 'sharedLimiterOf' | 'contractStore'>;

export type Role = keyof typeof REQUESTS_PER_SECOND;

export function connectBroker(
  { broker }: Environment,
  {
    instruments,
    role,
    shared,
  }: {
    readonly instruments: readonly Instrument[];
    readonly role: Role;
    /** Absent where a process is alone at the broker. */
    readonly shared?: Shared;
  },
): Broker {
  const bySymbol = new Map<Symbol, Instrument>(
    instruments.map((instrument) => [instrument.symbol, instrument]),
  );
  const findInstrument = (symbol: Symbol) => describedInstrument(symbol, bySymbol);
  if (broker.choice === 'alpaca') return connectAlpaca(broker, findInstrument);
  const requestsPerSecond = broker.requestsPerSecond ?? REQUESTS_PER_SECOND[role];
  const baseUrl = required('BROKER_BASE_URL', broker.baseUrl);
  const common = {
    baseUrl,
    websocketUrl: broker.websocketUrl ?? undefined,
    findInstrument,
    ...(broker.choice === 'sandbox' && { keepsMarketTime: true as const }),
    rateLimits:
      broker.choice === 'sandbox' ? NO_RATE_LIMITS : { ...PUBLISHED_RATE_LIMITS, requestsPerSecond },
    ...shared?.(baseUrl),
  };
  if (broker.tenancy === 'adviser')
    return interactiveBrokersAdviser({
      ...common,
      tokenUrl: required('BROKER_TOKEN_URL', broker.tokenUrl),
      sessionUrl: required('BROKER_SESSION_URL', broker.sessionUrl),
      clientId: required('IBKR_CLIENT_ID', broker.clientId),
      keyId: required('IBKR_KEY_ID', broker.keyId),
      privateKeyPem: readFileSync(required('IBKR_PRIVATE_KEY_FILE', broker.privateKeyFile), 'utf8'),
      credential: required('IBKR_CREDENTIAL', broker.credential),
      ip: required('IBKR_IP', broker.ip),
    });
  return interactiveBrokers({
    ...common,
    authorizeUrl: required('BROKER_AUTHORIZE_URL', broker.authorizeUrl),
    consumerKey: required('IBKR_CONSUMER_KEY', broker.consumerKey),
    realm: broker.realm ?? 'limited_poa',
    signaturePrivateKeyPem: readFileSync(
      required('IBKR_SIGNATURE_KEY_FILE', broker.signatureKeyFile),
      'utf8',
    ),
    encryptionPrivateKeyPem: readFileSync(
      required('IBKR_ENCRYPTION_KEY_FILE', broker.encryptionKeyFile),
      'utf8',
    ),
    dhPrimeHex: required('IBKR_DH_PRIME_HEX', broker.dhPrimeHex),
  });
}

/** Beta: shares only. */
function connectAlpaca(
  broker: Environment['broker'],
  findInstrument: (symbol: Symbol) => Instrument | null,
): Broker {
  return alpaca({
    baseUrl: required('BROKER_BASE_URL', broker.baseUrl),
    authorizeUrl: required('BROKER_AUTHORIZE_URL', broker.authorizeUrl),
    tokenUrl: required('BROKER_TOKEN_URL', broker.tokenUrl),
    clientId: required('ALPACA_CLIENT_ID', broker.alpaca.clientId),
    clientSecret: required('ALPACA_CLIENT_SECRET', broker.alpaca.clientSecret),
    findInstrument,
  });
}
