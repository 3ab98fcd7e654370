// Which adapter stands behind which port. Done once, here; everything else asks for a port.
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { pino } from 'pino';
import {
  type CommonConfig,
  PUBLISHED_RATE_LIMITS,
  NO_RATE_LIMITS,
} from '#adapters/broker/interactive-brokers/config.ts';
import {
  interactiveBrokers,
  interactiveBrokersAdviser,
} from '#adapters/broker/interactive-brokers/interactive-brokers.ts';
import { sandboxFeed } from '#adapters/market-data/sandbox/sandbox-feed.ts';
import { ledgerPayments } from '#adapters/payments/ledger/ledger.ts';
import { createEmbeddedSigning } from '#adapters/signing/embedded/embedded-signing.ts';
import { openSealKey } from '#adapters/signing/embedded/seal-key.ts';
import { describedInstrument } from '#engine/market/derived-instrument.ts';
import type { Instrument } from '#engine/market/instrument.ts';
import type { Broker, BrokerCredentials } from '#ports/broker.ts';
import type { MarketDataFeed } from '#ports/market-data.ts';
import { createEnvelopeStore } from '#records/agreements/agreements.ts';
import { sharedRateLimiter } from '#records/brokerage/shared-rate-limiter.ts';
import type { DatabaseHandle } from '#records/postgres/database.ts';
import { credentialsPurpose, openSecret } from '#records/brokerage/sealed-secret.ts';
import { PROVIDER } from '#rules/provider.ts';
import { type Dependencies, USUAL_LIMITS } from '#server/dependencies.ts';
import { LOG_OPTIONS } from '#server/http/log-options.ts';
import type { TraderDependencies } from '#trader/dependencies.ts';
import type { Symbol } from '#units/identifiers.ts';
import { instant } from '#units/instant.ts';
import { type Environment, readEnvironment } from './environment.ts';
import { connectMail } from './connect-mail.ts';
import { openKey } from './keys.ts';
import { openModels } from './open-models.ts';
import { recallSandboxPort } from './sandbox-port.ts';
import type { Linking } from './staff/link-account.ts';

export type Wired = {
  readonly marketData: MarketDataFeed;
  readonly server: Dependencies;
  readonly trader: TraderDependencies;
};

const ROOT = path.resolve(import.meta.dirname, '../..');

/** Throws an Error that names what is missing. */
export async function wire(environment: Environment, handle: DatabaseHandle, role: Role): Promise<Wired> {
  const marketData = sandboxFeed(required('MARKET_FEED_URL', environment.marketFeedUrl));
  const sharedLimiterOf = (userHash: string) => sharedRateLimiter(handle.database, userHash);
  const instruments = await listInstruments(marketData);
  const broker = connectBroker(environment, { instruments, role, sharedLimiterOf });
  const logger = pino({ ...LOG_OPTIONS, level: environment.logLevel });
  const sealingKey = openKey(environment.keyEncryptionKeyFile);
  const signing = createEmbeddedSigning({
    store: createEnvelopeStore(handle.database),
    key: await openSealKey(path.join(environment.dataDir, 'keys'), {
      owner: PROVIDER.productName,
      now: new Date(),
    }),
    signingPage: `${environment.publicUrl}/sign`,
  });
  const { mail, mailbox } = connectMail(environment, handle.database);
  const now = () => instant(Date.now());
  const webRoot = path.join(ROOT, 'src/web/dist');
  return {
    marketData,
    server: {
      records: handle,
      broker,
      marketData,
      signing,
      signingCeremony: signing,
      payments: ledgerPayments(),
      mail,
      // Whoever reads the mailbox can reset every password: never beside a real broker.
      mailbox: environment.broker.choice === 'sandbox' ? mailbox : null,
      now,
      logger,
      config: {
        publicUrl: environment.publicUrl,
        version: version(),
        webRoot: existsSync(path.join(webRoot, 'index.html')) ? webRoot : null,
        accessTokenKey: openKey(path.join(environment.dataDir, 'keys', 'access-token-key')),
        sealingKey,
        needsPlan: environment.broker.choice !== 'sandbox',
        trustProxy: environment.trustProxy,
        checksAnswers: false,
        limits: { ...USUAL_LIMITS, signInsPerMinute: environment.signInsPerMinute },
      },
    },
    trader: {
      handle,
      broker,
      marketData,
      models: openModels(),
      openCredentials: (connectionId, sealed) =>
        JSON.parse(
          openSecret(sealed, { key: sealingKey, purpose: credentialsPurpose(connectionId) }),
        ) as BrokerCredentials,
      logger,
      newId: randomUUID,
      realNow: now,
    },
  };
}

/** The variables by which the other roles reach the sandbox on `port`, unless the environment names a broker itself. */
export function sandboxVariables(environment: Environment, port: number): Record<string, string> {
  const feed = { MARKET_FEED_URL: environment.marketFeedUrl ?? `http://127.0.0.1:${port}` };
  if (environment.broker.choice !== 'sandbox' || environment.broker.baseUrl !== null) return feed;
  const folder = path.join(environment.dataDir, 'sandbox', 'consumer');
  const consumer = JSON.parse(readFileSync(path.join(folder, 'consumer.json'), 'utf8')) as Record<
    string,
    string
  >;
  const outside = new URL(environment.publicUrl);
  return {
    ...feed,
    BROKER_BASE_URL: `http://127.0.0.1:${port}/v1/api`,
    BROKER_AUTHORIZE_URL: `${outside.protocol}//${outside.hostname}:${port}/authorize`,
    IBKR_CONSUMER_KEY: consumer.consumer_key ?? '',
    IBKR_REALM: consumer.realm ?? '',
    IBKR_DH_PRIME_HEX: consumer.dh_prime_hex ?? '',
    IBKR_SIGNATURE_KEY_FILE: path.join(folder, 'signature-private.pem'),
    IBKR_ENCRYPTION_KEY_FILE: path.join(folder, 'encryption-private.pem'),
    ...(environment.broker.tenancy === 'adviser' && sandboxAdviserVariables(folder, port)),
  };
}

function sandboxAdviserVariables(folder: string, port: number): Record<string, string> {
  const adviser = JSON.parse(readFileSync(path.join(folder, 'adviser.json'), 'utf8')) as Record<
    string,
    string
  >;
  return {
    BROKER_TOKEN_URL: `http://127.0.0.1:${port}/oauth2/api/v1/token`,
    BROKER_SESSION_URL: `http://127.0.0.1:${port}/gw/api/v1/sso-sessions`,
    IBKR_CLIENT_ID: adviser.client_id ?? '',
    IBKR_KEY_ID: adviser.key_id ?? '',
    IBKR_PRIVATE_KEY_FILE: path.join(folder, 'adviser-private.pem'),
    IBKR_CREDENTIAL: adviser.credential ?? '',
    IBKR_IP: '127.0.0.1',
  };
}

/** What a command needs that links accounts, beside the product: the sandbox is found where the product started it. */
export async function openLinking(environment: Environment): Promise<Linking> {
  const port = recallSandboxPort(environment.dataDir);
  const isOwnSandbox = environment.broker.choice === 'sandbox' && environment.broker.baseUrl === null;
  if (isOwnSandbox && port === null) throw new Error('start the product first: its sandbox is the broker');
  const whole = isOwnSandbox
    ? readEnvironment({ ...process.env, ...sandboxVariables(environment, port ?? 0) })
    : environment;
  const broker = connectBroker(whole, { instruments: [], role: 'command' });
  return { broker, sealingKey: openKey(whole.keyEncryptionKeyFile) };
}

/**
 * What each role asks at most of the vendor's ten requests a second of one user name. A user's requests come from one
 * trader, one API or command at a time; under an adviser all are one user's, and several traders share.
 */
const REQUESTS_PER_SECOND = { trader: 7, api: 2, command: 1 } as const;
export type Role = keyof typeof REQUESTS_PER_SECOND;

function connectBroker(
  { broker }: Environment,
  {
    instruments,
    role,
    sharedLimiterOf,
  }: {
    readonly instruments: readonly Instrument[];
    readonly role: Role;
    readonly sharedLimiterOf?: CommonConfig['sharedLimiterOf'];
  },
): Broker {
  const bySymbol = new Map<Symbol, Instrument>(
    instruments.map((instrument) => [instrument.symbol, instrument]),
  );
  const requestsPerSecond = broker.requestsPerSecond ?? REQUESTS_PER_SECOND[role];
  const common = {
    baseUrl: required('BROKER_BASE_URL', broker.baseUrl),
    websocketUrl: broker.websocketUrl ?? undefined,
    findInstrument: (symbol: Symbol) => describedInstrument(symbol, bySymbol),
    rateLimits:
      broker.choice === 'sandbox' ? NO_RATE_LIMITS : { ...PUBLISHED_RATE_LIMITS, requestsPerSecond },
    ...(sharedLimiterOf === undefined ? {} : { sharedLimiterOf }),
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

async function listInstruments(marketData: MarketDataFeed): Promise<readonly Instrument[]> {
  const answer = await marketData.instruments();
  if (!answer.ok) throw new Error(`the market feed does not answer: ${answer.message}`);
  return answer.value;
}

function required(name: string, value: string | null): string {
  if (value === null) throw new Error(`${name} must be set when a role runs alone; \`npm start\` sets it`);
  return value;
}

function version(): string {
  const manifest = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as { version: string };
  return manifest.version;
}
