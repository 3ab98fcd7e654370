// A strategy, people who deployed it and a trader between a scripted market and a scripted venue, on real PostgreSQL.
import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { InstrumentKind } from '../../src/engine/market/instrument.ts';
import type { LanguageModelPort } from '#ports/language-model.ts';
import { NO_TRACING, type Tracing } from '#ports/tracing.ts';
import { saveInstruments } from '#records/market/instruments.ts';
import { checkInvariants } from '#trader/invariants/check-invariants.ts';
import { createTrader, type Trader } from '../../src/trader/trader.ts';
import type { DeploymentId } from '../../src/units/identifiers.ts';
import { type WallInstant, wallInstant } from '../../src/units/wall-instant.ts';
import { NO_MODELS } from './no-models.ts';
import { scriptedMarket, type ScriptedMarket } from './scripted-market.ts';
import { scriptedVenue, type ScriptedVenue } from './scripted-venue.ts';
import type { TestDatabase } from './test-database.ts';
import { type DeployOptions, insertDeployment, insertStrategy } from './trading-rows.ts';

export type TradingWorld = {
  readonly market: ScriptedMarket;
  readonly venue: ScriptedVenue;
  readonly trader: Trader;
  readonly problems: string[];
  readonly logged: readonly { readonly facts: object; readonly message: string }[];
  /** The models that decide; a test puts them in. */
  readonly deciders: LanguageModelPort[];
  /** Where the next trader traces the stages of the chain. */
  tracing: Tracing;
  /** Another trader with an empty memory, as after a kill: the old one's lease is gone with it. */
  restart(): Promise<Trader>;
  /** Another trader, while the old one hangs: its lease is taken from it. */
  succeed(): Promise<Trader>;
  addStrategy(definition: object, riskScore?: number): Promise<string>;
  deploy(versionId: string, options?: Partial<DeployOptions>): Promise<DeploymentId>;
  /** Lets real time pass for pauses between attempts. */
  wait(ms: number): void;
  /** The trader's real clock. */
  realNow(): WallInstant;
  /** Number of looks of the trader, far enough apart that none is skipped as too early; two by default. */
  runTicks(times?: number): Promise<void>;
  /** Every invariant holds, at the venue too. */
  everythingHolds(): Promise<void>;
};

/** Long AAA and BBB, each while its close is above 30; traded when that changes. */
export const BOTH_ABOVE_30 = {
  language: 'bellwether-strategy/1',
  name: 'Both above thirty',
  universe: ['AAA', 'BBB'],
  benchmark: 'AAA',
  schedule: { every: 'day' },
  rule: {
    type: 'signals',
    enterLong: { op: 'above', left: 'close', right: 30 },
    exitLong: { op: 'below', left: 'close', right: 30 },
  },
  gross: 0.8,
};

/** Short of AAA and BBB, each while its close is above 30. */
export const SHORT_ABOVE_30 = {
  ...BOTH_ABOVE_30,
  name: 'Short above thirty',
  direction: 'long_short',
  rule: {
    type: 'signals',
    enterShort: { op: 'above', left: 'close', right: 30 },
    exitShort: { op: 'below', left: 'close', right: 30 },
  },
  gross: 0.3,
};

export async function tradingWorld(
  { database, pool, close }: TestDatabase,
  /** Does not run by itself, so that the load of the machine decides nothing. */
  steadyMs: () => number = () => 0,
  /** The instruments for which the venue accepts stops. */
  stopKinds: readonly InstrumentKind[] = [],
  /** Whether it takes no order across a stop. */
  keepsStopsApart = false,
): Promise<TradingWorld> {
  const market = scriptedMarket();
  const venue = scriptedVenue(market, { stopKinds, keepsStopsApart });
  const problems: string[] = [];
  const deciders: LanguageModelPort[] = [];
  await saveInstruments(database, market.instruments, 'sandbox');
  let real = 1_000_000;
  const logged: { readonly facts: object; readonly message: string }[] = [];
  const log = (level: string) => (facts: object, message: string) => {
    logged.push({ facts, message });
    if (level !== 'info') problems.push(message);
  };
  const open = (tracing: Tracing) =>
    createTrader({
      handle: { database, pool, close },
      // People of the API's tests connect at Interactive Brokers.
      brokers: [venue.broker, { ...venue.broker, vendor: 'interactive-brokers' }],
      marketData: market.feed,
      models: NO_MODELS,
      deciders,
      tracing,
      openCredentials: ({ id }) => ({ connection: id }),
      logger: { info: log('info'), warn: log('warn'), error: log('error') },
      newId: randomUUID,
      realNow: () => wallInstant((real += 1)),
      steadyMs,
    });
  const rows = { database, pool, newId: randomUUID, now: market.now };
  const world: TradingWorld & { trader: Trader } = {
    market,
    venue,
    problems,
    logged,
    deciders,
    tracing: NO_TRACING,
    trader: open(NO_TRACING),
    async restart() {
      await world.trader.close();
      world.trader = open(world.tracing);
      return world.trader;
    },
    async succeed() {
      await pool.query('update trading_shards set holder = null');
      await pool.query('delete from traders');
      world.trader = open(world.tracing);
      await world.trader.tick();
      return world.trader;
    },
    wait: (ms: number) => void (real += ms),
    realNow: () => wallInstant(real),
    async everythingHolds() {
      const side = { brokers: [venue.broker], openCredentials: () => ({}), pause: async () => undefined };
      const verdicts = await checkInvariants(database, side);
      expect(verdicts.flatMap(({ says, violations }) => violations.map((one) => [says, one]))).toEqual([]);
    },
    async runTicks(times = 2) {
      for (let i = 0; i < times; i++) {
        world.wait(60_000);
        await world.trader.tick();
      }
    },
    addStrategy: (value: object, riskScore?: number) => insertStrategy(rows, value, riskScore),
    deploy: (versionId: string, options?: Partial<DeployOptions>) =>
      insertDeployment(rows, versionId, options),
  };
  return world;
}
