// A trader between a scripted market and Alpaca's stand-in, which it reaches over real HTTP, on real PostgreSQL.
import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { sessionAt } from '#engine/market/calendar.ts';
import type { Instrument } from '#engine/market/instrument.ts';
import { saveInstruments } from '#records/market/instruments.ts';
import type { Broker, BrokerCredentials } from '#ports/broker.ts';
import type { Account } from '#sandbox/alpaca/orders/order.ts';
import type { StandIn } from '#sandbox/alpaca/stand-in.ts';
import { checkInvariants } from '#trader/invariants/check-invariants.ts';
import { createTrader, type Trader } from '#trader/trader.ts';
import type { DeploymentId } from '#units/identifiers.ts';
import { toQuantity } from '#units/quantity.ts';
import { type WallInstant, wallInstant } from '#units/wall-instant.ts';
import { openSecondVendor } from '../simulation/second-vendor.ts';
import { equityInstrument } from './engine/random-market.ts';
import { NO_MODELS } from './no-models.ts';
import { type ScriptedMarket, scriptedMarket } from './scripted-market.ts';
import type { TestDatabase } from './test-database.ts';
import {
  type DeployOptions,
  insertDeployment,
  insertPerson,
  insertStrategy,
  type TradingPerson,
} from './trading-rows.ts';

export type AlpacaWorld = {
  readonly market: ScriptedMarket;
  readonly standIn: StandIn;
  readonly broker: Broker;
  /** What the trader has warned of. */
  readonly problems: string[];
  /** A person with an account of their own there. */
  join(): Promise<{ readonly person: TradingPerson; readonly account: Account }>;
  addStrategy(definition: object): Promise<string>;
  deploy(version: string, options: Partial<DeployOptions>): Promise<DeploymentId>;
  runTicks(times?: number): Promise<void>;
  realNow(): WallInstant;
  restart(): Promise<void>;
  everythingHolds(): Promise<void>;
  close(): Promise<void>;
};

export async function alpacaWorld(
  { database, pool, close }: TestDatabase,
  more: readonly Instrument[] = [],
): Promise<AlpacaWorld> {
  const market = scriptedMarket(undefined, undefined, [COIN, ...more]);
  const prices = {
    instruments: market.instruments,
    dailyBars: () => [],
    quote(symbol: Instrument['symbol'], at: ReturnType<typeof market.now>) {
      const instrument = market.instruments.find((one) => one.symbol === symbol);
      if (instrument === undefined) return null;
      const last = market.price(symbol);
      return { symbol, at, last, bid: last, ask: last, open: sessionAt(instrument.calendar, at) !== null };
    },
  };
  let real = 1_000_000;
  const vendor = await openSecondVendor({ prices, now: market.now, ownNow: () => real, sent: [] });
  const { standIn } = vendor;
  let before = market.now();
  market.onMove(() => {
    vendor.pass(before, market.now());
    before = market.now();
  });
  await saveInstruments(database, market.instruments, 'sandbox');
  const keys = new Map<string, ReturnType<typeof vendor.open>['credentials']>();
  const problems: string[] = [];
  const log = (level: string) => (_: object, message: string) => {
    if (level !== 'info') problems.push(message);
  };
  const broker = vendor.connect();
  const openCredentials = <Vendor extends string>({ id }: { readonly id: string }) =>
    keys.get(id) as BrokerCredentials<Vendor>;
  const open = (): Trader =>
    createTrader({
      handle: { database, pool, close },
      brokers: [broker],
      marketData: market.feed,
      models: NO_MODELS,
      openCredentials,
      logger: { info: log('info'), warn: log('warn'), error: log('error') },
      newId: randomUUID,
      realNow: () => wallInstant((real += 1)),
      steadyMs: () => 0,
    });
  let trader = open();
  const rows = { database, pool, newId: randomUUID, now: market.now };
  return {
    market,
    standIn,
    broker,
    problems,
    async join() {
      const { account: number, credentials } = vendor.open();
      const person = await insertPerson(rows, { account: number, broker: 'alpaca' });
      keys.set(person.connection, credentials);
      return { person, account: standIn.books.accounts.find((one) => one.number === number)! };
    },
    addStrategy: (definition) => insertStrategy(rows, definition),
    deploy: (version, options) => insertDeployment(rows, version, options),
    async runTicks(times = 2) {
      for (let i = 0; i < times; i++) {
        real += 60_000;
        await trader.tick();
      }
    },
    realNow: () => wallInstant(real),
    async restart() {
      await trader.close();
      trader = open();
    },
    async everythingHolds() {
      const side = { brokers: [broker], openCredentials, pause: async () => undefined };
      const verdicts = await checkInvariants(database, side);
      expect(verdicts.flatMap(({ says, violations }) => violations.map((one) => [says, one]))).toEqual([]);
    },
    async close() {
      await trader.close();
      await vendor.close();
    },
  };
}

const COIN: Instrument = {
  ...equityInstrument('BTCUSD'),
  kind: 'crypto',
  calendar: 'crypto',
  unitCurrency: 'BTC',
  quantityStep: toQuantity(0.0001),
};
