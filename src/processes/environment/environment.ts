// The only place that reads the environment: names, defaults and refusals. `.env.example` documents each.
import path from 'node:path';
import type { MarketMode } from '#ports/market-data.ts';
import { type LiveMarket, readLiveMarket } from './live-market.ts';
import { type BrokerChoice, type BrokerClock, brokerRefusal, BROKERS } from './broker-refusal.ts';

export type Environment = {
  readonly port: number;
  readonly host: string;
  readonly dataDir: string;
  /** Null: the embedded PostgreSQL under `dataDir`. */
  readonly databaseUrl: string | null;
  /** Our public address, without a trailing slash. */
  readonly publicUrl: string;
  readonly market: MarketMode;
  /** Null on any other market. */
  readonly live: LiveMarket | null;
  /** The day on which a replay begins. */
  readonly replayFrom: string | null;
  /** The prefix of the market feed's /market/ paths; `npm start` sets it. Null on the live market. */
  readonly marketFeedUrl: string | null;
  readonly sandbox: { readonly port: number | null; readonly daySeconds: number; readonly seed: number };
  readonly broker: {
    /** sandbox: ours, on this machine. The others: the real ones, by the addresses below; alpaca is beta. */
    readonly choice: BrokerChoice;
    readonly clock: BrokerClock;
    readonly baseUrl: string | null;
    readonly authorizeUrl: string | null;
    readonly consumerKey: string | null;
    readonly realm: string | null;
    readonly signatureKeyFile: string | null;
    readonly encryptionKeyFile: string | null;
    readonly dhPrimeHex: string | null;
    /** The stream's address, where it is not the REST base's with /ws behind it. */
    readonly websocketUrl: string | null;
    readonly alpaca: {
      readonly clientId: string | null;
      readonly clientSecret: string | null;
      /** Of the operator's own account, which is then the only one; null where clients give permission. */
      readonly keys: { readonly keyId: string; readonly secretKey: string } | null;
    };
    /** Null: the role's default limit. */
    readonly requestsPerSecond: number | null;
    /** Between two requests for the same list. Null: what the vendor publishes. */
    readonly listSpacingMs: number | null;
    /** person: each client gives permission (OAuth 1.0a). adviser: one user name for all clients (OAuth 2.0). */
    readonly tenancy: 'person' | 'adviser';
    readonly tokenUrl: string | null;
    readonly sessionUrl: string | null;
    readonly clientId: string | null;
    readonly keyId: string | null;
    readonly privateKeyFile: string | null;
    readonly credential: string | null;
    readonly ip: string | null;
  };
  /** Null: mails go to the sandbox mailbox. */
  readonly mailUrl: string | null;
  readonly mailFrom: string | null;
  /** Who is alarmed of incidents to act on now: an address for mail, an alarm system that takes signed posts. */
  readonly operator: {
    readonly email: string | null;
    readonly webhook: { readonly url: string; readonly secret: string } | null;
  };
  /** The key that seals broker credentials at rest; created on the first start if absent. */
  readonly keyEncryptionKeyFile: string;
  readonly trustProxy: boolean;
  /** From one address, registrations and resets among them. */
  readonly signInsPerMinute: number;
  readonly logLevel: string;
};

/** Throws an Error that names the variable and what it accepts. */
export function readEnvironment(variables: NodeJS.ProcessEnv = process.env): Environment {
  const text = (name: string) =>
    variables[name] === undefined || variables[name] === '' ? null : variables[name];
  const dataDir = path.resolve(text('DATA_DIR') ?? 'data');
  const port = wholeNumber('PORT', text('PORT'), { fallback: 3000, min: 1, max: 65_535 });
  const market = oneOf('MARKET', text('MARKET'), MARKETS, hasOwnKeys(text) ? 'live' : 'sandbox');
  const replayFrom = text('REPLAY_FROM');
  if (market === 'replay' && (replayFrom === null || !/^\d{4}-\d{2}-\d{2}$/.test(replayFrom))) {
    throw new Error('MARKET=replay needs REPLAY_FROM, the first day to play, as YYYY-MM-DD');
  }
  const live = market === 'live' ? readLiveMarket(text) : null;
  const marketFeedUrl = text('MARKET_FEED_URL');
  const broker = readBroker(text, { market, live, marketFeedUrl });
  return {
    port,
    // What one person runs for themselves is for nobody else on their network.
    host: text('HOST') ?? (broker.alpaca.keys === null ? '0.0.0.0' : '127.0.0.1'),
    dataDir,
    databaseUrl: text('DATABASE_URL'),
    publicUrl: (text('PUBLIC_URL') ?? `http://localhost:${port}`).replace(/\/+$/, ''),
    market,
    live,
    replayFrom,
    marketFeedUrl,
    sandbox: {
      port: wholeNumber('SANDBOX_PORT', text('SANDBOX_PORT'), { fallback: null, min: 1, max: 65_535 }),
      daySeconds: wholeNumber('SANDBOX_DAY_SECONDS', text('SANDBOX_DAY_SECONDS'), {
        fallback: 20,
        min: 1,
        max: 86_400,
      }),
      seed: wholeNumber('SANDBOX_SEED', text('SANDBOX_SEED'), { fallback: 7, min: 0, max: 2_147_483_647 }),
    },
    broker,
    mailUrl: mailAddress(text('MAIL_URL')),
    mailFrom: text('MAIL_FROM'),
    operator: {
      email: text('OPERATOR_EMAIL'),
      webhook: webhookOf(text('OPERATOR_WEBHOOK'), text('OPERATOR_WEBHOOK_SECRET')),
    },
    keyEncryptionKeyFile: text('KEK_FILE') ?? path.join(dataDir, 'keys', 'key-encryption-key'),
    trustProxy: oneOf('TRUST_PROXY', text('TRUST_PROXY'), ['yes', 'no'] as const, 'no') === 'yes',
    signInsPerMinute: wholeNumber('SIGN_INS_PER_MINUTE', text('SIGN_INS_PER_MINUTE'), {
      fallback: 20,
      min: 1,
      max: 1_000_000,
    }),
    logLevel: text('LOG_LEVEL') ?? 'warn',
  };
}

/** Keys alone start the product for their owner: on live prices, with the account of the keys. */
function hasOwnKeys(text: (name: string) => string | null): boolean {
  return text('BROKER') === null && text('APCA_API_KEY_ID') !== null;
}

/** Throws an Error when the broker may not trade on this market. */
function readBroker(
  text: (name: string) => string | null,
  { live, ...world }: Pick<Environment, 'market' | 'live' | 'marketFeedUrl'>,
): Environment['broker'] {
  const choice = oneOf('BROKER', text('BROKER'), BROKERS, live === null ? 'sandbox' : 'alpaca');
  const clock = oneOf(
    'BROKER_CLOCK',
    text('BROKER_CLOCK'),
    ['market', 'real'] as const,
    choice === 'sandbox' ? 'market' : 'real',
  );
  const isOwn = choice === 'alpaca' && text('ALPACA_CLIENT_ID') === null;
  const keys = isOwn && live !== null ? { keyId: live.keyId, secretKey: live.secretKey } : null;
  const baseUrl = text('BROKER_BASE_URL') ?? (keys && live ? live.tradingUrl : null);
  const tenancy = oneOf('IBKR_TENANCY', text('IBKR_TENANCY'), ['person', 'adviser'] as const, 'person');
  const baseUrlName = text('BROKER_BASE_URL') === null && keys ? 'ALPACA_TRADING_URL' : 'BROKER_BASE_URL';
  const refusal = brokerRefusal({ ...world, choice, clock, baseUrl, baseUrlName, tenancy });
  if (refusal !== null) throw new Error(refusal);
  return {
    choice,
    clock,
    baseUrl,
    authorizeUrl: text('BROKER_AUTHORIZE_URL'),
    consumerKey: text('IBKR_CONSUMER_KEY'),
    realm: text('IBKR_REALM'),
    signatureKeyFile: text('IBKR_SIGNATURE_KEY_FILE'),
    encryptionKeyFile: text('IBKR_ENCRYPTION_KEY_FILE'),
    dhPrimeHex: text('IBKR_DH_PRIME_HEX'),
    alpaca: { clientId: text('ALPACA_CLIENT_ID'), clientSecret: text('ALPACA_CLIENT_SECRET'), keys },
    websocketUrl: text('BROKER_WEBSOCKET_URL'),
    requestsPerSecond: wholeNumber('BROKER_REQUESTS_PER_SECOND', text('BROKER_REQUESTS_PER_SECOND'), {
      fallback: null,
      min: 1,
      max: 50,
    }),
    listSpacingMs: wholeNumber('BROKER_LIST_SPACING_MS', text('BROKER_LIST_SPACING_MS'), {
      fallback: null,
      min: 0,
      max: 60_000,
    }),
    tenancy,
    tokenUrl: text('BROKER_TOKEN_URL'),
    sessionUrl: text('BROKER_SESSION_URL'),
    clientId: text('IBKR_CLIENT_ID'),
    keyId: text('IBKR_KEY_ID'),
    privateKeyFile: text('IBKR_PRIVATE_KEY_FILE'),
    credential: text('IBKR_CREDENTIAL'),
    ip: text('IBKR_IP'),
  };
}

function mailAddress(text: string | null): string | null {
  if (text !== null && !/^smtps?:\/\/[^\s]+$/.test(text)) {
    throw new Error('MAIL_URL must be the address of a mail server, such as smtp://user:password@host:587');
  }
  return text;
}

/** Its receiver must be able to tell our alarms from those of others. */
function webhookOf(url: string | null, secret: string | null): Environment['operator']['webhook'] {
  if (url === null) return null;
  if (!/^https?:\/\/[^\s]+$/.test(url))
    throw new Error('OPERATOR_WEBHOOK must be an address, such as https://alarms.example.test/bellwether');
  if (secret === null || secret.length < SECRET_MIN)
    throw new Error(
      `OPERATOR_WEBHOOK needs OPERATOR_WEBHOOK_SECRET, at least ${SECRET_MIN} characters to sign alarms with`,
    );
  return { url, secret };
}

const MARKETS: readonly MarketMode[] = ['sandbox', 'replay', 'live'];
const SECRET_MIN = 16;

function wholeNumber<Fallback extends number | null>(
  name: string,
  text: string | null,
  bounds: { fallback: Fallback; min: number; max: number },
): number | Fallback {
  if (text === null) return bounds.fallback;
  const value = Number(text);
  if (!Number.isInteger(value) || value < bounds.min || value > bounds.max) {
    throw new Error(`${name} must be a whole number from ${bounds.min} to ${bounds.max}, not "${text}"`);
  }
  return value;
}

function oneOf<Choice extends string>(
  name: string,
  text: string | null,
  choices: readonly Choice[],
  fallback: Choice,
): Choice {
  if (text === null) return fallback;
  const found = choices.find((choice) => choice === text);
  if (found === undefined) throw new Error(`${name} must be one of ${choices.join(', ')}, not "${text}"`);
  return found;
}
