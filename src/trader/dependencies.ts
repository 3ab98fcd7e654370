import type { BrokerMarketData } from '#ports/broker.ts';
import type { Brokers, OpenCredentials } from '#ports/brokers.ts';
import type { LanguageModelPort } from '#ports/language-model.ts';
import type { MarketDataFeed } from '#ports/market-data.ts';
import type { ModelRunner } from '#ports/model-runner.ts';
import type { Tracing } from '#ports/tracing.ts';
import type { DatabaseHandle } from '#records/postgres/database.ts';
import type { WallInstant } from '#units/wall-instant.ts';

/** The trader's external dependencies. Wired once, in processes. */
export type TraderDependencies = {
  readonly handle: DatabaseHandle;
  /** Each connection trades with the one of its vendor. */
  readonly brokers: Brokers;
  readonly marketData: MarketDataFeed;
  readonly models: ModelRunner;
  /** The models that can be asked for decisions; absent: none. */
  readonly deciders?: readonly LanguageModelPort[];
  readonly openCredentials: OpenCredentials;
  /** Takes what lends the prices of a session that this trader holds to a feed: a user name has one session. */
  readonly lendPrices?: (lend: () => Promise<BrokerMarketData | null>) => void;
  /** No performance fee is billed: one person runs the product for themselves. Absent: it is. */
  readonly withoutFees?: boolean;
  /** The hash of the engine's source, kept with each evaluation; absent where nobody asks for it. */
  readonly engineHash?: string;
  /** Where the stages of the chain are traced; absent: nowhere. */
  readonly tracing?: Tracing;
  readonly logger: TraderLogger;
  /** A fresh UUID. */
  readonly newId: () => string;
  /** The wall's clock, for heartbeats and for pauses between attempts; trading has the market's own. */
  readonly realNow: () => WallInstant;
  /** Milliseconds of a clock that never jumps, for leases; the process's own unless another is given. */
  readonly steadyMs?: () => number;
  /** How many connections cancel and send at the same time; 32 unless it is given. */
  readonly sendersAtOnce?: number;
};

export type TraderLogger = {
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
  error(facts: object, message: string): void;
};
