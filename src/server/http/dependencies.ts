import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type { Deployment } from '#contract/deployments.ts';
import type { Brokers } from '#ports/brokers.ts';
import type { IdentityCheckPort } from '#ports/identity-check.ts';
import type { LanguageModelPort } from '#ports/language-model.ts';
import type { MarketDataFeed } from '#ports/market-data.ts';
import type { DocumentStore } from '#ports/document-store.ts';
import type { HistorySeries } from '#ports/market-history.ts';
import type { PracticeVenue } from '#ports/practice-venue.ts';
import type { PaymentsPort } from '#ports/payments.ts';
import type { Tracing } from '#ports/tracing.ts';
import type { PrintDocument } from '#ports/printing.ts';
import type { SigningCeremony, SigningPort, VendorSigning } from '#ports/signing.ts';
import type { BrokerQuestions } from '#records/brokerage/broker-questions.ts';
import type { Keyring } from '#records/keys/keyring.ts';
import type { DatabaseHandle } from '#records/postgres/database.ts';
import type { Spending } from '#records/strategy-builder/model-readings.ts';
import type { Installation } from '#rules/installation.ts';
import type { ProviderTerms } from '#rules/provider.ts';
import type { UserId } from '#units/identifiers.ts';
import type { Instant } from '#units/instant.ts';

/** Everything that the server needs from outside. Wired once, in processes. */
export type Dependencies = {
  readonly records: DatabaseHandle;
  /** Reads the same records; caches the newest view of each deployment. */
  readonly findDeployment: FindDeployment;
  /** Sign clients in; their sessions belong to the trader. */
  readonly brokers: Brokers;
  readonly practiceVenue: PracticeVenue;
  readonly brokerQuestions: BrokerQuestions;
  readonly marketData: MarketDataFeed;
  /** Read by a thread of its own. */
  readonly history: HistorySeries;
  readonly signing: SigningPort;
  /** Our own signing page; null when a vendor handles signing. */
  readonly signingCeremony: SigningCeremony | null;
  /** The vendor's, shown within ours; null when we handle signing. */
  readonly vendorSigning: VendorSigning | null;
  /** Null where no service checks who people are. */
  readonly identityCheck: IdentityCheckPort | null;
  /** Null where the grammar reads descriptions alone. `daily`: what one person may spend in a day. */
  readonly languageModel: { readonly port: LanguageModelPort; readonly daily: Spending } | null;
  readonly payments: PaymentsPort;
  readonly print: PrintDocument;
  /** Where signed agreements move to; absent: their rows keep them. */
  readonly documents?: DocumentStore | undefined;
  /** Where the stages of the chain are traced; absent: nowhere. */
  readonly tracing?: Tracing;
  /** Serves the pages that only this world has. */
  readonly mountPages: (app: FastifyInstance) => Promise<void>;
  /** The real clock: sessions, tokens, ages. Trading has the market's own. */
  readonly now: () => Instant;
  /** Sign tokens and cookies, seal secrets; they rotate while we run. */
  readonly keys: Keyring;
  readonly config: ServerConfig;
  /** Where to log; false keeps silent. */
  readonly logger: FastifyBaseLogger | false;
};

/** Undefined both for absent ids and for another user's, after the same single query. */
export type FindDeployment = (own: OwnDeployment) => Promise<Deployment | undefined>;

export type OwnDeployment = { readonly id: string; readonly userId: UserId };

export type ServerConfig = {
  /** Our public address, without a trailing slash. */
  readonly publicUrl: string;
  readonly version: string;
  readonly installation: Installation;
  /** Named in the legal texts. */
  readonly provider: ProviderTerms;
  /** The folder of the built web app; null serves the API alone. */
  readonly webRoot: string | null;
  /** The name of the bot by which people get news; null where there is none. */
  readonly telegramBot: string | null;
  /** Whether users without a plan are held to the free one; if not, they have no limits until they choose. */
  readonly needsPlan: boolean;
  /** Staff may do nothing until their sign-in has a second factor; not in the demo world, where everything is practice. */
  readonly staffNeedSecondFactor: boolean;
  /** Real prices are traded with practice money only. */
  readonly takesPaperOnly: boolean;
  /** Whose X-Forwarded-For is believed: nobody's, so many proxies', or that of proxies in these networks. */
  readonly trustProxy: false | number | readonly string[];
  /** Validates every answer against its contract; for tests, because it slows hot reads. */
  readonly checksAnswers: boolean;
  readonly limits: RateLimits;
};

export type RateLimits = {
  /** Requests per minute for one signed-in user, or for one address. */
  readonly requestsPerMinute: number;
  /** Requests per minute by one API key. */
  readonly requestsPerMinuteOfKey: number;
  /** Sign-in and registration attempts from one address in a minute. */
  readonly signInsPerMinute: number;
  /** Wrong passwords for one account from all unknown devices together, and from each known one. */
  readonly wrongPasswordsPerMinute: number;
  readonly wrongPasswordsPerDay: number;
};

/** Two open tabs poll about 3 requests a second per user; this leaves room for three more. */
export const USUAL_LIMITS: RateLimits = {
  requestsPerMinute: 900,
  requestsPerMinuteOfKey: 300,
  signInsPerMinute: 20,
  wrongPasswordsPerMinute: 5,
  wrongPasswordsPerDay: 100,
};
