// A trader between Alpaca's stand-ins for prices and for orders, over real HTTP, on real PostgreSQL and a clock that the test moves:
// shares whose price rises and falls from hour to hour, or from minute to minute.
import { randomUUID } from 'node:crypto';
import Fastify from 'fastify';
import { expect } from 'vitest';
import { alpacaFeed } from '#adapters/market-data/alpaca/alpaca-feed.ts';
import type { AlpacaFeed } from '#adapters/market-data/alpaca/config.ts';
import { session, sessionAt } from '#engine/market/calendar.ts';
import type { Bar } from '#engine/market/instrument.ts';
import type { BrokerCredentials } from '#ports/broker.ts';
import type { StrategyDefinition } from '#engine/strategy/definition.ts';
import type { BarsRead } from '#records/results/backtests.ts';
import { findVersion } from '#records/strategies/traded-versions.ts';
import { saveInstruments } from '#records/market/instruments.ts';
import { mountAlpacaMarketData } from '#sandbox/alpaca/market-data/market-data.ts';
import type { PriceSource } from '#sandbox/market/price-source.ts';
import { checkInvariants } from '#trader/invariants/check-invariants.ts';
import { createTrader, type Trader } from '#trader/trader.ts';
import type { StrategyVersionId, Symbol } from '#units/identifiers.ts';
import { addDays, HOUR_MS, type IsoDate, isoText, MINUTE_MS, parseInstant } from '#units/instant.ts';
import { wallInstant } from '#units/wall-instant.ts';
import { openSecondVendor } from '../simulation/second-vendor.ts';
import { equityInstrument } from './engine/random-market.ts';
import { NO_MODELS } from './no-models.ts';
import type { TestDatabase } from './test-database.ts';
import { insertDeployment, insertPerson, insertStrategy } from './trading-rows.ts';

const HOURLY = 'HOUR' as Symbol;
const MINUTELY = 'MINT' as Symbol;
const INSTRUMENTS = [equityInstrument(HOURLY), equityInstrument(MINUTELY)];
const KEYS = { id: 'a key id', secret: 'a secret key' };

/** Above a hundred for an hour from half past to half past, or for a minute, and below it for the next, by turns. */
function priceOf(symbol: Symbol, at: number): number {
  const turn =
    symbol === HOURLY ? Math.floor((at - 1 - HOUR_MS / 2) / HOUR_MS) : Math.floor((at - 1) / MINUTE_MS);
  return turn % 2 === 0 ? 101 : 99;
}

const PRICES: PriceSource = {
  instruments: INSTRUMENTS,
  quote(symbol, at) {
    const last = priceOf(symbol, at);
    return { symbol, at, last, bid: last, ask: last, open: sessionAt('us-equity', at) !== null };
  },
  dailyBars(symbol, { from, to, asOf }) {
    const bars: Bar[] = [];
    const first = from < FIRST ? FIRST : from;
    for (let date = first; date <= to; date = addDays(date, 1)) {
      const held = session('us-equity', date);
      if (held === null || held.closesAt > asOf) continue;
      const [open, close] = [priceOf(symbol, held.opensAt), priceOf(symbol, held.closesAt)];
      const { opensAt: openedAt, closesAt: closedAt } = held;
      bars.push({ date, openedAt, closedAt, open, high: 101, low: 99, close, volume: 1_000_000 });
    }
    return bars;
  },
};
const FIRST = '2026-10-01' as IsoDate;

export async function intradayWorld(
  { database, pool }: TestDatabase,
  { at, feed = 'sip' }: { readonly at: string; readonly feed?: AlpacaFeed },
) {
  let now = parseInstant(at);
  let real = 1_000_000;
  const asked: string[] = [];
  const untraded = new Set<string>();
  let silent = false;
  const app = Fastify();
  app.addHook('onRequest', (request, reply, done) => {
    if (/\/bars\?.*timeframe=\d+Min/.test(request.url)) {
      asked.push(request.url);
      if (silent) return void reply.code(503).send({ message: 'away' });
    }
    return done();
  });
  await app.register(async (scope) => {
    mountAlpacaMarketData(scope, {
      prices: PRICES,
      now: () => now,
      keys: KEYS,
      plan: feed === 'sip' ? 'subscribed' : 'free',
      untraded: (symbol, minute) => untraded.has(`${symbol} ${isoText(minute)}`),
    });
  });
  const dataUrl = await app.listen({ host: '127.0.0.1', port: 0 });
  const marketData = alpacaFeed({
    dataUrl,
    tradingUrl: dataUrl,
    keyId: KEYS.id,
    secretKey: KEYS.secret,
    feed,
    symbols: INSTRUMENTS.map(({ symbol }) => symbol),
    timeoutMs: 20_000,
    rateLimits: { requestsPerSecond: 10_000, spacingMs: {}, backOffMs: 1_000 },
    now: () => now,
  });
  const vendor = await openSecondVendor({ prices: PRICES, now: () => now, ownNow: () => real, sent: [] });
  const broker = vendor.connect();
  await saveInstruments(database, INSTRUMENTS, 'live');
  const keys = new Map<string, BrokerCredentials>();
  const problems: string[] = [];
  const log = (_: object, message: string) => void problems.push(message);
  const open = (): Trader =>
    createTrader({
      handle: { database, pool, close: () => Promise.resolve() },
      brokers: [broker],
      marketData,
      models: NO_MODELS,
      openCredentials: (({ id }: { readonly id: string }) => keys.get(id)) as never,
      logger: { info: () => undefined, warn: log, error: log },
      newId: randomUUID,
      realNow: () => wallInstant((real += 1)),
      steadyMs: () => 0,
    });
  let trader = open();
  const rows = { database, pool, newId: randomUUID, now: () => now };
  const look = async (times = 3) => {
    for (let i = 0; i < times; i++) {
      real += 60_000;
      await trader.tick();
      vendor.pass(now, now);
    }
  };
  return {
    database,
    marketData,
    problems,
    /** The requests for bars of parts of a session so far. */
    asked,
    /** `HOUR 2026-…`: minutes in which it does not trade. */
    untraded,
    now: () => now,
    setSilent: (is: boolean) => void (silent = is),
    orders: () => vendor.standIn.books.orders,
    fills: () => vendor.standIn.books.fills,
    addStrategy: (definition: object) => insertStrategy(rows, { ...RULES, ...definition }),
    /** One that nobody trades, committed long ago. */
    async addDraft(definition: object) {
      const version = await insertStrategy(rows, { ...RULES, ...definition });
      await pool.query(`update strategy_versions set committed_at = '2026-06-01T00:00:00Z' where id = $1`, [
        version,
      ]);
      await pool.query(
        `update strategies set status = 'draft' where id = (select strategy_id from strategy_versions where id = $1)`,
        [version],
      );
      const found = (await findVersion(database, version as StrategyVersionId))!;
      return { ...found, definition: found.definition as StrategyDefinition };
    },
    async result(version: string) {
      const { rows: found } = await pool.query<{ bars_read: BarsRead; data_hash: string }>(
        'select bars_read, data_hash from backtests where strategy_version_id = $1',
        [version],
      );
      return { barsRead: found[0]!.bars_read, dataHash: found[0]!.data_hash };
    },
    async deploy(version: string) {
      const { account: number, credentials } = vendor.open();
      const person = await insertPerson(rows, { account: number, broker: 'alpaca' });
      keys.set(person.connection, credentials);
      return insertDeployment(rows, version, { person });
    },
    /** The trader has looked three times at the new time. */
    async goTo(to: string) {
      const next = parseInstant(to);
      vendor.pass(now, next);
      now = next;
      await look();
    },
    look,
    async restart() {
      await trader.close();
      trader = open();
    },
    async targets(version: string) {
      const { rows: found } = await pool.query<TargetRow>(
        'select as_of, weights, rebalance, hash from targets where strategy_version_id = $1 order by as_of',
        [version],
      );
      return found.map(({ as_of: asOf, weights, rebalance, hash }) => ({
        asOf: parseInstant(asOf),
        hash,
        at: asOf.toISOString().slice(0, 16),
        weight: weights[0]?.weight ?? 0,
        rebalance,
      }));
    },
    async refusals(deployment: string) {
      const { rows: found } = await pool.query<{ code: string }>(
        `select distinct r ->> 'code' as code from receipts, jsonb_array_elements(refusals) r where deployment_id = $1`,
        [deployment],
      );
      return found.map(({ code }) => code);
    },
    async everythingHolds() {
      const side = {
        brokers: [broker],
        openCredentials: (({ id }: { id: string }) => keys.get(id)) as never,
        pause: async () => undefined,
      };
      const verdicts = await checkInvariants(database, side);
      expect(verdicts.flatMap(({ says, violations }) => violations.map((one) => [says, one]))).toEqual([]);
    },
    async close() {
      await trader.close();
      await vendor.close();
      await app.close();
    },
  };
}

type TargetRow = {
  readonly as_of: Date;
  readonly weights: { readonly weight: number }[];
  readonly rebalance: boolean;
  readonly hash: string;
};

/** Held while the price at the close is above a hundred. */
export const RULES = {
  language: 'bellwether-strategy/1',
  name: 'Above a hundred',
  universe: [HOURLY],
  benchmark: HOURLY,
  interval: '1h',
  schedule: { every: 'bar' },
  rule: {
    type: 'signals',
    enterLong: { op: 'above', left: 'close', right: 100 },
    exitLong: { op: 'below', left: 'close', right: 100 },
  },
  gross: 0.5,
};
