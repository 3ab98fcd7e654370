import { NO_RATE_LIMITS, PUBLISHED_RATE_LIMITS } from '#adapters/broker/interactive-brokers/config.ts';
import {
  interactiveBrokers,
  interactiveBrokersAdviser,
} from '#adapters/broker/interactive-brokers/interactive-brokers.ts';
import type { RateLimits } from '#adapters/broker/rate-limits.ts';
import type { Broker } from '#ports/broker.ts';
import type { BrokerSettings } from '../environment/broker-settings.ts';
import { type BrokerWiring, privateKey, type Role, setting } from './broker-wiring.ts';

/**
 * Each role's share of the vendor's ten requests a second per user name. A user's requests come from one trader and one
 * API or command at a time; under an adviser all belong to one user, and several traders share them.
 */
const REQUESTS_PER_SECOND: Readonly<Record<Role, number>> = { trader: 7, api: 2, command: 1 };

export function connectInteractiveBrokers(
  settings: BrokerSettings,
  { findInstrument, tickers, role, shared }: BrokerWiring,
): Broker<'interactive-brokers'> {
  const { choice, vendor, prefix } = settings;
  const required = (name: string, value: string | null) => setting(choice, name, value);
  const baseUrl = required(`${prefix}_BASE_URL`, settings.baseUrl);
  const common = {
    baseUrl,
    websocketUrl: settings.websocketUrl ?? undefined,
    findInstrument,
    ...(tickers && { tickers }),
    ...(settings.clock === 'market' && { keepsMarketTime: true as const }),
    rateLimits: choice === 'sandbox' ? NO_RATE_LIMITS : rateLimits(settings, role),
    ...shared?.({ vendor, server: baseUrl }),
  };
  if (settings.tenancy === 'adviser')
    return interactiveBrokersAdviser({
      ...common,
      tokenUrl: required(`${prefix}_TOKEN_URL`, settings.tokenUrl),
      sessionUrl: required(`${prefix}_SESSION_URL`, settings.sessionUrl),
      clientId: required('IBKR_CLIENT_ID', settings.clientId),
      keyId: required('IBKR_KEY_ID', settings.keyId),
      privateKeyPem: privateKey(choice, 'IBKR_PRIVATE_KEY_FILE', settings.privateKeyFile),
      credential: required('IBKR_CREDENTIAL', settings.credential),
      ip: required('IBKR_IP', settings.ip),
    });
  return interactiveBrokers({
    ...common,
    authorizeUrl: required(`${prefix}_AUTHORIZE_URL`, settings.authorizeUrl),
    consumerKey: required('IBKR_CONSUMER_KEY', settings.consumerKey),
    realm: settings.realm ?? 'limited_poa',
    signaturePrivateKeyPem: privateKey(choice, 'IBKR_SIGNATURE_KEY_FILE', settings.signatureKeyFile),
    encryptionPrivateKeyPem: privateKey(choice, 'IBKR_ENCRYPTION_KEY_FILE', settings.encryptionKeyFile),
    dhPrimeHex: required('IBKR_DH_PRIME_HEX', settings.dhPrimeHex),
  });
}

function rateLimits({ requestsPerSecond, listSpacingMs }: BrokerSettings, role: Role): RateLimits {
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
