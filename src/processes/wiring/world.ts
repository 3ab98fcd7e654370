// What each of the two worlds has of its own. Everything else is wired the same, and is given these.
import type { FastifyInstance } from 'fastify';
import type { BrokerTickers } from '#adapters/broker/broker-tickers.ts';
import type { InteractiveBrokersFeedConfig } from '#adapters/market-data/interactive-brokers/interactive-brokers-feed.ts';
import type { Instrument } from '#engine/market/instrument.ts';
import type { LanguageModelPort } from '#ports/language-model.ts';
import type { MailPort } from '#ports/mail.ts';
import type { MarketClock, MarketDataFeed, MarketMode } from '#ports/market-data.ts';
import type { PaymentsPort } from '#ports/payments.ts';
import type { Database, DatabaseHandle } from '#records/postgres/database.ts';
import type { Environment } from '../environment/environment.ts';
import type { WorldName } from '../environment/world.ts';
import type { Listing } from '../seed/catalogue/listing.ts';

export type World = {
  readonly name: WorldName;
  /** Of a command beside the running product. Throws an Error when the settings are wrong, or of the other world. */
  readonly runningEnvironment: () => Environment;
  /** Without a handle nothing is known of the instruments. Throws an Error that names what is missing. */
  readonly openMarketData: (
    environment: Environment,
    handle: Pick<DatabaseHandle, 'database'> | null,
    trader: TraderPrices | null,
  ) => Promise<OpenedMarketData>;
  /** How to read the market's clock. Throws an Error that names what is missing. */
  readonly clockOf: (environment: Environment) => () => Promise<ClockReading>;
  readonly connectMail: (environment: Environment, database: Database) => MailPort;
  readonly connectPayments: (environment: Environment, database: Database) => PaymentsPort;
  /** The models that can be asked for decisions. */
  readonly connectDeciders: (environment: Environment) => Promise<readonly LanguageModelPort[]>;
  /** The strategies that its catalogue begins with. */
  readonly listings: (instruments: readonly Instrument[], mode: MarketMode) => Promise<readonly Listing[]>;
  /** Serves the pages that it has alone. */
  readonly mountPages: (app: FastifyInstance, environment: Environment, database: Database) => Promise<void>;
};

/**
 * What the trader alone has, because there can be one of each: the stream of a pair of keys, and the session of a user name
 * whose prices may be borrowed.
 */
export type TraderPrices = { readonly borrow: InteractiveBrokersFeedConfig['borrow'] };

type OpenedMarketData = {
  readonly marketData: MarketDataFeed;
  /** What shares are called today; absent where nothing is renamed. */
  readonly tickers?: () => BrokerTickers;
};

export type ClockReading = Pick<MarketClock, 'now' | 'mode'>;
