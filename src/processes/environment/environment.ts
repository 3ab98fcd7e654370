// The only place that reads the environment: names, defaults and refusals. `.env.example` documents each.
import path from 'node:path';
import type { S3Config } from '#adapters/documents/s3-documents.ts';
import type { MarketMode } from '#ports/market-data.ts';
import type { Installation } from '#rules/installation.ts';
import type { ProviderTerms } from '#rules/provider.ts';
import { type LiveMarket, readLiveMarket } from './live-market.ts';
import type { BrokerSettings } from './broker-settings.ts';
import { readProvider } from './provider-terms.ts';
import { readBrokers } from './read-brokers.ts';
import { refuseUnfitInstallation } from './live-installation.ts';
import { isLoopback } from './loopback.ts';
import { refuseRealKeys } from './demo-refusal.ts';
import { refuseOtherWorld, type WorldName, worldOf } from './world.ts';
import { readTrustProxy, type TrustProxy } from './trust-proxy.ts';
import { oneOf, wholeNumber } from './setting.ts';
import { readIdentityCheck } from './identity-settings.ts';
import { type LanguageModelEnvironment, readLanguageModel } from './language-model-settings.ts';
import { readDocumentStore } from './document-settings.ts';
import { type KeyService, readKeyService } from './key-settings.ts';
import { readReceivers, type Receivers } from './receivers.ts';
import { readTelegram, type TelegramEnvironment } from './telegram-settings.ts';
import { type DocusignEnvironment, readSigning } from './signing-settings.ts';
import { readPayments, type StripeEnvironment } from './payment-settings.ts';

export type Environment = Receivers & {
  readonly port: number;
  readonly host: string;
  readonly dataDir: string;
  /** Where the embedded PostgreSQL is backed up; null: as the data folder notes it, or nowhere. */
  readonly backupDir: string | null;
  /** Null: the embedded PostgreSQL under `dataDir`. */
  readonly databaseUrl: string | null;
  /** For the schema of a database of one's own. Null: the embedded one, or this process changes no schema. */
  readonly databaseOwnerUrl: string | null;
  /** A standby that takes over has every acknowledged commit: see recovery/restorations.ts. */
  readonly hasSynchronousStandby: boolean;
  /** Our public address, without a trailing slash. */
  readonly publicUrl: string;
  readonly market: MarketMode;
  readonly installation: Installation;
  /** Null on any other market. */
  readonly live: LiveMarket | null;
  /** The day on which a replay begins. */
  readonly replayFrom: string | null;
  /** The prefix of the market feed's /market/ paths; `npm start` sets it. Null on the live market. */
  readonly marketFeedUrl: string | null;
  readonly sandbox: { readonly port: number | null; readonly daySeconds: number; readonly seed: number };
  /** Named in the legal texts. */
  readonly provider: ProviderTerms;
  /** In the order of BROKER; at least one. */
  readonly brokers: readonly BrokerSettings[];
  /** Null: mails go to the sandbox mailbox. */
  readonly mailUrl: string | null;
  readonly mailFrom: string | null;
  /** The root key of the keyring; created on the first start if absent. */
  readonly keyEncryptionKeyFile: string;
  /** Null: the root key is in that file. */
  readonly keyService: KeyService | null;
  readonly trustProxy: TrustProxy;
  /** From one address, registrations and resets among them. */
  readonly signInsPerMinute: number;
  readonly logLevel: string;
  /** Null: our own signing page. */
  readonly docusign: DocusignEnvironment | null;
  /** Null: the database keeps signed agreements. */
  readonly documentStore: S3Config | null;
  /** Null: payments are only recorded. */
  readonly stripe: StripeEnvironment | null;
  /** Null: nobody is checked, and accounts say so. */
  readonly identityCheck: { readonly url: string; readonly key: string } | null;
  /** Null: descriptions are read by the grammar alone. */
  readonly languageModel: LanguageModelEnvironment | null;
  /** Null: nobody gets news in Telegram. */
  readonly telegram: TelegramEnvironment | null;
};

/** Throws an Error that names the variable and what it accepts, or says that they are of another world than `started`. */
export function readEnvironment(
  variables: NodeJS.ProcessEnv = process.env,
  started?: WorldName,
): Environment {
  const text = (name: string) =>
    variables[name] === undefined || variables[name] === '' ? null : variables[name];
  if (started !== undefined) refuseOtherWorld(started, text);
  const dataDir = path.resolve(text('DATA_DIR') ?? 'data');
  const port = wholeNumber('PORT', text('PORT'), { fallback: 3000, min: 1, max: 65_535 });
  const market = oneOf(
    'MARKET',
    text('MARKET'),
    MARKETS,
    worldOf(text) === 'installation' ? 'live' : 'sandbox',
  );
  const replayFrom = text('REPLAY_FROM');
  if (market === 'replay' && (replayFrom === null || !/^\d{4}-\d{2}-\d{2}$/.test(replayFrom))) {
    throw new Error('MARKET=replay needs REPLAY_FROM, the first day to play, as YYYY-MM-DD');
  }
  if (market !== 'live' && text('REAL_MONEY') !== null)
    throw new Error(`REAL_MONEY is for MARKET=live, and MARKET is ${market}: remove it`);
  const live = market === 'live' ? readLiveMarket(text) : null;
  const marketFeedUrl = text('MARKET_FEED_URL');
  const brokers = readBrokers(text, { market, live, marketFeedUrl });
  refuseFeedWithoutBroker(live, brokers);
  // The demonstration, and what one person runs for themselves, is for nobody else on their network.
  const host = text('HOST') ?? (live === null || tradesOwnAccount({ brokers }) ? '127.0.0.1' : '0.0.0.0');
  const isForOne = brokers.every(({ alpaca }) => alpaca.keys !== null) && isLoopback(host);
  const installation = market !== 'live' ? 'demonstration' : isForOne ? 'own' : 'provider';
  const environment: Environment = {
    port,
    host,
    dataDir,
    backupDir: text('BACKUP_DIR'),
    ...readDatabase(text, live),
    publicUrl: (text('PUBLIC_URL') ?? `http://localhost:${port}`).replace(/\/+$/, ''),
    market,
    installation,
    live,
    replayFrom,
    marketFeedUrl,
    sandbox: readSandbox(text),
    provider: readProvider(text, installation),
    brokers,
    mailUrl: mailAddress(text('MAIL_URL')),
    mailFrom: text('MAIL_FROM'),
    ...readReceivers(text),
    keyEncryptionKeyFile: text('KEK_FILE') ?? path.join(dataDir, 'keys', 'key-encryption-key'),
    keyService: readKeyService(text),
    documentStore: readDocumentStore(text),
    trustProxy: readTrustProxy(text('TRUST_PROXY')),
    signInsPerMinute: wholeNumber('SIGN_INS_PER_MINUTE', text('SIGN_INS_PER_MINUTE'), {
      fallback: 20,
      min: 1,
      max: 1_000_000,
    }),
    // The sandbox brokerage says odd things on purpose.
    logLevel: text('LOG_LEVEL') ?? (market === 'live' ? 'warn' : 'error'),
    docusign: readSigning(text),
    stripe: readPayments(text),
    identityCheck: readIdentityCheck(text),
    languageModel: readLanguageModel(text),
    telegram: readTelegram(text),
  };
  // The demo account signs by itself, which only our own page lets it do.
  if (environment.docusign !== null && hasSandboxBroker(environment))
    throw new Error(
      'ESIGN=docusign is not for BROKER=sandbox, whose demo account cannot sign there: remove ESIGN',
    );
  if (market === 'live') refuseUnfitInstallation(environment, { isForOne });
  else refuseRealKeys(text, environment);
  return environment;
}

function readDatabase(
  text: (name: string) => string | null,
  live: Environment['live'],
): Pick<Environment, 'databaseUrl' | 'databaseOwnerUrl' | 'hasSynchronousStandby'> {
  const standby = oneOf('DATABASE_STANDBY', text('DATABASE_STANDBY'), ['none', 'synchronous'], 'none');
  return {
    databaseUrl: text('DATABASE_URL'),
    // The demonstration may own what it runs on.
    databaseOwnerUrl: text('DATABASE_OWNER_URL') ?? (live === null ? text('DATABASE_URL') : null),
    hasSynchronousStandby: standby === 'synchronous',
  };
}

function readSandbox(text: (name: string) => string | null): Environment['sandbox'] {
  return {
    port: wholeNumber('SANDBOX_PORT', text('SANDBOX_PORT'), { fallback: null, min: 1, max: 65_535 }),
    daySeconds: wholeNumber('SANDBOX_DAY_SECONDS', text('SANDBOX_DAY_SECONDS'), {
      fallback: 20,
      min: 1,
      max: 86_400,
    }),
    seed: wholeNumber('SANDBOX_SEED', text('SANDBOX_SEED'), { fallback: 7, min: 0, max: 2_147_483_647 }),
  };
}

/** The one who runs the product trades an account of their own, with its keys. */
export function tradesOwnAccount({ brokers }: Pick<Environment, 'brokers'>): boolean {
  return brokers.some(({ alpaca }) => alpaca.keys !== null);
}

/** Our own brokerage on this machine is among the brokers. */
export function hasSandboxBroker({ brokers }: Pick<Environment, 'brokers'>): boolean {
  return brokers.some(({ choice }) => choice === 'sandbox');
}

function mailAddress(text: string | null): string | null {
  if (text !== null && !/^smtps?:\/\/[^\s]+$/.test(text)) {
    throw new Error('MAIL_URL must be the address of a mail server, such as smtp://user:password@host:587');
  }
  return text;
}

const MARKETS: readonly MarketMode[] = ['sandbox', 'replay', 'live'];

function refuseFeedWithoutBroker(live: Environment['live'], brokers: Environment['brokers']): void {
  const lender = 'interactive-brokers';
  if (live?.feeds.some(({ second }) => second === lender) && !brokers.some(({ vendor }) => vendor === lender))
    throw new Error(
      `MARKET_FEEDS names ${lender}, whose prices are those of a trading session: add it to BROKER, or take it out`,
    );
}
