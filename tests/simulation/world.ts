// A whole small world from one seed: a market, the sandbox brokerage behind real HTTP, people with deployments, and the
// production trader between them on real PostgreSQL. Its clock moves only when a step moves it. In a mixed world some trade at
// a second vendor, and some practise.
import { setTimeout as sleep } from 'node:timers/promises';
import Fastify from 'fastify';
import type { Bar } from '#engine/market/instrument.ts';
import type { Broker, BrokerAnswer, BrokerCredentials, BrokerSession } from '#ports/broker.ts';
import type { MarketDataFeed } from '#ports/market-data.ts';
import { saveInstruments } from '#records/market/instruments.ts';
import { habitsBySeed } from '#sandbox/interactive-brokers/faults/habits.ts';
import { type Brokerage, mountBrokerage } from '#sandbox/interactive-brokers/brokerage.ts';
import { prepareConsumer } from '#sandbox/interactive-brokers/sign-in/consumer.ts';
import type { PriceSource } from '#sandbox/market/price-source.ts';
import { createTrader, type Trader } from '#trader/trader.ts';
import { type Instant, parseInstant } from '#units/instant.ts';
import type { DeploymentId } from '#units/identifiers.ts';
import { NO_MODELS } from '../support/no-models.ts';
import { sandboxAdapter, signInAt } from '../support/sandbox-adapter.ts';
import type { TestDatabase } from '../support/test-database.ts';
import {
  insertDeployment,
  insertPerson,
  insertStrategy,
  type TradingPerson,
} from '../support/trading-rows.ts';
import { type Chance, chanceOf } from './chance.ts';
import type { Revised } from './adjustments.ts';
import { type SeededModel, seededModel } from './deciding.ts';
import { type HaltablePrices, haltablePrices } from './haltable-prices.ts';
import { beginLife, type Life } from './incarnation.ts';
import { type Mailroom, mailroom } from './mailroom.ts';
import type { MovedUnits } from './moved-units.ts';
import { openPracticeSide, type PracticeSide, type Terms } from './practice-side.ts';
import { seededPrices } from './prices.ts';
import { openSecondVendor, type SecondVendor } from './second-vendor.ts';
import { recordOrders } from './sent-to-brokers.ts';
import { stillIntervals } from './still-intervals.ts';
import { DECIDED, isOfShares, STRATEGIES } from './strategies.ts';
import { createTurnstile } from './turnstile.ts';
import { newWaitingExits, type WaitingExits } from './waiting-exits.ts';
import { wallInstant } from '#units/wall-instant.ts';

export type World = {
  readonly seed: number;
  readonly chance: Chance;
  readonly records: TestDatabase;
  readonly prices: HaltablePrices;
  readonly brokerage: Brokerage;
  readonly people: readonly SimulatedPerson[];
  readonly deployments: readonly DeploymentId[];
  /** Two vendors, and practice. */
  readonly isMixed: boolean;
  /** Null unless it is mixed. */
  readonly second: SecondVendor | null;
  readonly practices: readonly Practice[];
  /** Null unless a model decides some of its strategies. */
  readonly model: SeededModel | null;
  /** The orders that anybody sent to a real broker, as they were sent. */
  readonly sentToBrokers: readonly string[];
  /** The feed's faults, for as long as they are set. */
  readonly feedFaults: FeedFaults;
  now(): Instant;
  moveTo(at: Instant): void;
  /** Shifts the real clock as the trader reads it; the broker's stays right. */
  skewClock(ms: number): void;
  readonly mailroom: Mailroom;
  readonly trader: Trader;
  readonly life: Life;
  /** A new process with an empty memory; the old one is gone, in order or without. */
  restart(): Promise<void>;
  /** A second process takes over, once the first one's leases have run out by the database's clock and by its own. */
  takeOver(): Promise<void>;
  /** `strategy` counts in the order of STRATEGIES; any one unless it is given. What a person's broker does not trade they practise. */
  deploy(person: SimulatedPerson, strategy?: number): Promise<DeploymentId>;
  practise(person: SimulatedPerson, strategy?: number): Promise<void>;
  /** A real deployment on the terms of a practice one, which goes on beside it. */
  promote(practice: Practice): Promise<void>;
  /** The brokers' side as an auditor sees it, without faults. */
  readonly auditor: {
    readonly brokers: readonly Broker[];
    readonly credentialsOf: (connection: string) => BrokerCredentials;
    /** At the first vendor; opened once and kept. */
    readonly sessionOf: (connection: string) => Promise<BrokerAnswer<BrokerSession>>;
  };
  readonly problems: string[];
  /** Executions that the broker revised, and what staff did about them. */
  readonly revised: Revised[];
  /** Money that owners put in or took out after their account was opened in our books. */
  readonly ownerMoves: { readonly account: string; readonly dollars: number }[];
  /** What the broker moved without an execution. */
  readonly moved: MovedUnits[];
  readonly waitingExits: WaitingExits;
  /** What a step itself saw that must not be. */
  readonly violations: string[];
  close(): Promise<void>;
};

export type SimulatedPerson = TradingPerson & {
  readonly userName: string;
  readonly vendor: 'scripted' | 'alpaca';
};

export type Practice = {
  readonly id: DeploymentId;
  readonly person: SimulatedPerson;
  readonly strategy: number;
  readonly terms: Terms;
  /** The real one beside which it goes on. */
  real: DeploymentId | null;
};

export type FeedFaults = {
  isDown: boolean;
  /** What the newest bar is turned into. */
  bar: 'late' | 'tenfold' | 'zero' | 'not a number' | 'twice' | null;
  quote: 'twentyfold' | 'zero' | 'crossed' | null;
  /** What has no quote at all. */
  missing: string | null;
};

const START = parseInstant('2026-03-02T12:00:00Z');
const PEOPLE = 2;
const MIXED_PEOPLE = 3;
/** Worlds up to it have one vendor and no practice, and are as they were when they found something. */
const MIXED_FROM = 200_000;
/** From here on a model decides for some. */
const DECIDED_FROM = 300_000;
const LEASES_ARE_OVER_MS = 60_000;

/** `keys` is a folder with the brokerage's registered consumer, made once for all worlds. */
export async function createWorld(seed: number, records: TestDatabase, keys: string): Promise<World> {
  const chance = chanceOf(seed, 1);
  const ids = chanceOf(seed, 2);
  const prices = haltablePrices(seededPrices(seed, START));
  let now: Instant = START;
  let real: number = START;
  const realNow = () => real;
  let skew = 0;
  const ownNow = () => real + skew;
  const consumer = prepareConsumer(keys);
  const app = Fastify();
  const sentToBrokers: string[] = [];
  recordOrders(app, sentToBrokers);
  const brokerage = mountBrokerage(app, {
    habits: habitsBySeed(seed),
    file: ':memory:',
    consumer,
    prices,
    now: () => now,
    realNow,
    sleep: async () => undefined,
  });
  const address = await app.listen({ host: '127.0.0.1', port: 0 });
  const connect = (): Broker => ({
    ...sandboxAdapter({ address, keys, instruments: prices.instruments, now: ownNow }),
    vendor: 'scripted',
  });
  const isMixed = seed > MIXED_FROM;
  const surroundings = { prices, now: () => now, ownNow, sent: sentToBrokers };
  const second = isMixed ? await openSecondVendor(surroundings) : null;
  const credentials = new Map<string, BrokerCredentials>();
  const letIntervals = stillIntervals();
  const { database, pool } = records;
  const rows = { database, pool, newId: ids.uuid, now: () => now };
  await saveInstruments(database, prices.instruments, 'sandbox');
  const versions: string[] = [];
  const model = seed > DECIDED_FROM ? seededModel(seed) : null;
  for (const [place, definition] of STRATEGIES.entries())
    if (model !== null || !DECIDED.includes(place)) versions.push(await insertStrategy(rows, definition));

  const people: SimulatedPerson[] = [];
  const joining = connect();
  const vendors = chanceOf(seed, 6);
  for (let i = 0; i < (isMixed ? MIXED_PEOPLE : PEOPLE); i++) {
    const userName = `person-${i}`;
    // One of them at each, the third at either.
    const isAtSecond = second !== null && (i === 1 || (i === 2 && vendors.happens(0.5)));
    const vendor = isAtSecond ? 'alpaca' : 'scripted';
    const granted = isAtSecond ? second.open() : await joinAt(joining, userName);
    const person = await insertPerson(rows, { account: granted.account, broker: vendor });
    await pool.query(`update users set fee_period = $2 where id = $1`, [
      person.user,
      i === 0 ? 'weekly' : 'monthly',
    ]);
    credentials.set(person.connection, granted.credentials);
    people.push({ ...person, userName, vendor });
  }

  // One of them has shares of their own from the beginning.
  const holder = people.findLast(({ vendor }) => vendor === 'scripted')!.account;
  const own = { kind: 'drift', symbol: 'AAA', units: 40 } as const;
  const rules = [{ on: 'clock', at: START, account: holder, fault: own } as const];
  brokerage.faults.set({ seed, resets: false, limits: false, rules }, START);
  brokerage.bringUpToDate();

  const problems: string[] = [];
  const say = (_: object, message: string) => void problems.push(message);
  const feedFaults: FeedFaults = { isDown: false, bar: null, quote: null, missing: null };
  const turnstile = createTurnstile();
  const feed = feedOf(prices, () => now, feedFaults);
  const practiceSide = isMixed ? openPracticeSide({ rows, feed, prices, credentials }) : null;
  const connectAll = (): Broker[] => [connect(), ...besides(second, practiceSide)];
  const begin = () => {
    const life = beginLife(records.url, connectAll(), turnstile);
    const trader = createTrader({
      handle: life.handle,
      brokers: life.brokers,
      marketData: feed,
      models: NO_MODELS,
      ...(model && { deciders: [model.port] }),
      openCredentials: ({ id }) => credentials.get(id) as BrokerCredentials<never>,
      logger: { info: () => undefined, warn: say, error: say },
      newId: ids.uuid,
      realNow: () => wallInstant(ownNow()),
      steadyMs: () => real,
      // One at a time, so that orders of others wait while one account is worked for.
      ...(seed % 3 === 0 && { sendersAtOnce: 1 }),
    });
    return { life, trader };
  };
  let current = begin();
  const deployments: DeploymentId[] = [];
  const practices: Practice[] = [];
  const drawTerms = (strategy: number): Terms => ({
    versionId: versions[strategy]!,
    investment: chance.pick([5_000, 10_000, 40_000]),
    stopLoss: chance.pick([0, 5, 12]),
    maxAllocation: chance.pick([20, 50]),
    freeze: chance.pick([0, 10, 25]),
  });
  const addReal = async (person: SimulatedPerson, { versionId, ...terms }: Terms) => {
    const id = await insertDeployment(rows, versionId, { person, ...terms });
    deployments.push(id);
    return id;
  };
  const addPractice = async (person: SimulatedPerson, strategy: number) => {
    const terms = drawTerms(strategy);
    const id = await practiceSide!.deploy(person, terms);
    deployments.push(id);
    practices.push({ id, person, strategy, terms, real: null });
    return id;
  };
  return {
    seed,
    chance,
    records,
    prices,
    brokerage,
    people,
    deployments,
    isMixed,
    second,
    practices,
    model,
    sentToBrokers,
    feedFaults,
    problems,
    violations: [],
    waitingExits: newWaitingExits(),
    revised: [],
    ownerMoves: [],
    moved: [],
    mailroom: mailroom(records, chanceOf(seed, 3)),
    now: () => now,
    skewClock(ms) {
      skew = ms;
    },
    moveTo(at) {
      const before = now;
      real += Math.max(60_000, at - now);
      now = at;
      brokerage.bringUpToDate();
      second?.pass(before, now);
    },
    get trader() {
      return current.trader;
    },
    get life() {
      return current.life;
    },
    async restart() {
      if (!current.life.isDead) await current.trader.close();
      await current.life.kill();
      current = begin();
    },
    async takeOver() {
      real += LEASES_ARE_OVER_MS;
      await endTransactionsOf(pool, current.life.name);
      await pool.query(`update traders set expires_at = clock_timestamp() - interval '1 second'`);
      await pool.query(`update trading_shards set expires_at = clock_timestamp() - interval '1 second'`);
      current = begin();
    },
    async deploy(person, strategy = chance.below(versions.length)) {
      if (!trades(person, strategy)) return addPractice(person, strategy);
      return addReal(person, drawTerms(strategy));
    },
    async practise(person, strategy = chance.below(versions.length)) {
      await addPractice(person, strategy);
    },
    async promote(practice) {
      const { id, person, strategy, terms } = practice;
      if (!trades(person, strategy)) return;
      practice.real = await addReal(person, terms);
      await practiceSide!.shadow(id, practice.real);
    },
    auditor: auditorOf(connectAll(), (connection) => credentials.get(connection)!),
    async close() {
      if (!current.life.isDead) await current.trader.close();
      await current.life.kill();
      await app.close();
      await second?.close();
      brokerage.close();
      letIntervals();
    },
  };
}

/** Alpaca's stand-in trades shares alone for us. */
function trades({ vendor }: SimulatedPerson, strategy: number): boolean {
  return vendor === 'scripted' || isOfShares(strategy);
}

function besides(second: SecondVendor | null, practice: PracticeSide | null): Broker[] {
  return [...(second === null ? [] : [second.connect()]), ...(practice === null ? [] : [practice.broker])];
}

async function joinAt(broker: Broker, userName: string) {
  const { accountId: account, credentials } = await signInAt(broker, userName);
  return { account, credentials };
}

/**
 * What a stopped process left open the server has ended by the time that its lease is over, as it does after ten seconds:
 * also a statement that was still under way when it stopped, or that waits for another of its own.
 */
async function endTransactionsOf(pool: TestDatabase['pool'], name: string): Promise<void> {
  const ended = `select state, pg_terminate_backend(case state when 'idle in transaction' then pid end)
    from pg_stat_activity where application_name = $1 and xact_start is not null`;
  while (((await pool.query(ended, [name])).rowCount ?? 0) > 0) await sleep(LOOK_AGAIN_MS);
}

const LOOK_AGAIN_MS = 5;

function auditorOf(
  brokers: readonly Broker[],
  credentialsOf: (connection: string) => BrokerCredentials,
): World['auditor'] {
  const opened = new Map<string, BrokerAnswer<BrokerSession>>();
  const sessionOf = async (connection: string) => {
    const known = opened.get(connection);
    if (known?.outcome === 'ok' && known.value.sessionState().status !== 'closed') return known;
    const answer = await brokers[0]!.openSession(credentialsOf(connection));
    opened.set(connection, answer);
    return answer;
  };
  return { brokers, credentialsOf, sessionOf };
}

function feedOf(prices: PriceSource, now: () => Instant, faults: FeedFaults): MarketDataFeed {
  const answer = <Value>(value: Value) =>
    faults.isDown
      ? ({ ok: false, code: 'unreachable', message: 'the feed is down' } as const)
      : ({ ok: true, value } as const);
  return {
    instruments: async () => answer(prices.instruments),
    clock: async () =>
      answer({ now: now(), daySeconds: 20, mode: 'sandbox', paused: true, endsAt: null } as const),
    async dailyBars(symbol, from, to) {
      const reported = (found: readonly Bar[]) => answer({ bars: found, malformed: null });
      const bars = [...prices.dailyBars(symbol, { from, to, asOf: now() })];
      const last = bars.pop();
      if (last === undefined) return reported([]);
      if (faults.bar === 'late') return reported(bars);
      if (faults.bar === 'tenfold')
        return reported([...bars, { ...last, high: last.high * 12, close: last.high * 12 }]);
      if (faults.bar === 'zero') return reported([...bars, { ...last, low: 0, close: 0 }]);
      if (faults.bar === 'not a number') return reported([...bars, { ...last, close: Number.NaN }]);
      if (faults.bar === 'twice') return reported([...bars, last, last]);
      return reported([...bars, last]);
    },
    corporateActions: async () => answer([...(prices.actions?.(now()) ?? [])]),
    async quotes(symbols) {
      const quotes = symbols.flatMap((symbol) =>
        symbol === faults.missing ? [] : (prices.quote(symbol, now()) ?? []),
      );
      return answer(
        quotes.map((quote) => {
          if (faults.quote === 'twentyfold')
            return { ...quote, last: quote.last * 20, bid: quote.bid * 20, ask: quote.ask * 20 };
          if (faults.quote === 'zero') return { ...quote, last: 0 };
          return faults.quote === 'crossed' ? { ...quote, bid: quote.ask * 2 } : quote;
        }),
      );
    },
  };
}
