// The sandbox brokerage: the Web API of Interactive Brokers over simulated prices and practice money.
import type { FastifyInstance } from 'fastify';
import type { Instrument } from '#engine/market/instrument.ts';
import type { Instant } from '#units/instant.ts';
import type { Micro } from '#units/money.ts';
import type { PriceSource } from '../market/price-source.ts';
import { type Adviser, createAdviserAccess } from './sign-in/adviser.ts';
import { adviserRoutes } from './sign-in/adviser-routes.ts';
import { type HeldPosition, openAccountBook } from './accounts/account-book.ts';
import { authorizeRoutes } from './sign-in/authorize-routes.ts';
import type { Consumer } from './sign-in/consumer.ts';
import { listContracts } from './market-data/contract-list.ts';
import { contractRoutes } from './market-data/contract-routes.ts';
import { openDatabase } from './database.ts';
import { createBookEvents } from './faults/book-events.ts';
import { createFaultPlan, type FaultPlan } from './faults/fault-plan.ts';
import { faultRoutes } from './faults/fault-routes.ts';
import type { Fault } from './faults/fault-script.ts';
import { type Habits, readHabits } from './faults/habits.ts';
import { mountFaults } from './faults/wire.ts';
import { createGate } from './session/gate.ts';
import { marketDataRoutes } from './market-data/market-data-routes.ts';
import { createMatching } from './orders/matching.ts';
import { createOauthCheck } from './sign-in/oauth-check.ts';
import { oauthRoutes } from './sign-in/oauth-routes.ts';
import { createEndOfDay } from './accounts/end-of-day.ts';
import { type Execution, openOrderBook, type Order } from './orders/order-book.ts';
import { createOrderEntry } from './orders/order-entry.ts';
import { orderRoutes } from './orders/order-routes.ts';
import { openPeople, type People } from './sign-in/people.ts';
import { openPermissions, type Permissions } from './sign-in/permissions.ts';
import { portfolioRoutes } from './accounts/portfolio-routes.ts';
import { sessionRoutes } from './session/session-routes.ts';
import { type BrokerageStream, createStream } from './stream/stream.ts';
import { openSessions, type Sessions } from './session/sessions.ts';

export type BrokerageSettings = {
  /** The SQLite file of its books. */
  readonly file: string;
  readonly consumer: Consumer;
  /** The registered adviser, if any. */
  readonly adviser?: Adviser;
  readonly prices: PriceSource;
  readonly now: () => Instant;
  readonly callbackHosts?: readonly string[];
  readonly realNow?: () => number;
  /** What its lists and texts are like; by default all that the vendor's documents allow. */
  readonly habits?: Habits;
  /** How a slow answer waits. */
  readonly sleep?: (ms: number) => Promise<void>;
};

export type Brokerage = {
  /** Fills all orders that are due by now. Reads do so by themselves. */
  bringUpToDate(): Instant;
  readonly sessions: Sessions;
  readonly people: People;
  readonly permissions: Permissions;
  /** What it truly has, whoever may see it: for an auditor. */
  readonly books: {
    orders(accountId: string): readonly Order[];
    cash(accountId: string): Micro;
    positions(accountId: string): readonly HeldPosition[];
    executions(accountId: string): readonly Execution[];
  };
  /** What shall go wrong; nothing, until it is set. */
  readonly faults: FaultPlan;
  readonly stream: BrokerageStream;
  close(): void;
};

/** The continuous series of a future is for reading only. */
function isTradable({ kind, expiry }: Instrument): boolean {
  return kind !== 'futures' || expiry !== null;
}

/** Puts the API under /v1/api and the sign-in pages under /authorize of an app. */
export function mountBrokerage(app: FastifyInstance, settings: BrokerageSettings): Brokerage {
  const { consumer, prices, callbackHosts = [], realNow = Date.now, sleep = wait } = settings;
  const { habits = readHabits(undefined) } = settings;
  const faults = createFaultPlan();
  const database = openDatabase(settings.file);
  const contracts = listContracts(prices.instruments.filter(isTradable));
  const people = openPeople(database);
  const permissions = openPermissions(database, consumer, realNow);
  const sessions = openSessions(realNow);
  const check = createOauthCheck(consumer, realNow);
  const { adviser } = settings;
  const access = adviser && createAdviserAccess(adviser, realNow);
  const gate = createGate({
    people,
    permissions,
    sessions,
    check,
    adviser: adviser && access ? { credential: adviser.credential, access } : null,
  });
  const accounts = openAccountBook(database, contracts, prices);
  const orders = openOrderBook(database, realNow);
  const matching = createMatching({ database, contracts, prices, accounts, orders, faults });
  const endOfDay = createEndOfDay({ database, contracts, prices, accounts, orders });
  const entry = createOrderEntry({ database, contracts, accounts, orders, matching, realNow });
  const events = createBookEvents({ database, people, sessions, contracts, accounts, orders, matching });
  const runUntil = (at: Instant) => {
    endOfDay.passUntil(at, (end) => matching.runUntil(end));
    matching.runUntil(at);
  };
  const bringUpToDate = () => {
    const at = settings.now();
    for (let due = faults.nextOfClock(at); due !== null; due = faults.nextOfClock(at)) {
      runUntil(due.at);
      events.happen(due.rule.fault, due.rule.account ?? null, due.at);
    }
    runUntil(at);
    return at;
  };

  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: 16_384 },
    (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(String(body)))),
  );
  void app.register(
    (api, _options, done) => {
      const { now } = settings;
      const happen = (fault: Fault, account: string | null) => events.happen(fault, account, now());
      const faultsOf = mountFaults(api, { plan: faults, sessions, now, realNow, sleep, happen });
      habits.speak(api);
      oauthRoutes(api, { consumer, check, permissions, sessions });
      sessionRoutes(api, gate, sessions);
      portfolioRoutes(api, { gate, accounts, contracts, bringUpToDate, habits });
      contractRoutes(api, { gate, contracts, prices, now: settings.now });
      marketDataRoutes(api, { gate, contracts, prices, now });
      orderRoutes(api, { gate, entry, orders, contracts, bringUpToDate, faultsOf, habits });
      done();
    },
    { prefix: '/v1/api' },
  );
  if (access) adviserRoutes(app, access, people);
  faultRoutes(app, faults, settings.now);
  const cashOf = (accountId: string) => accounts.value(accountId, settings.now()).cash;
  authorizeRoutes(app, {
    people,
    permissions,
    cashOf,
    callbackHosts,
    realNow,
  });
  const stream = createStream({
    sessions,
    people,
    adviser: access ?? null,
    contracts,
    prices,
    orders,
    faults,
    bringUpToDate,
    realNow,
  });
  stream.attach(app.server);
  app.addHook('preClose', (done) => {
    stream.close();
    done();
  });
  const books = {
    orders: (accountId: string) => orders.recent(accountId, settings.now()),
    cash: cashOf,
    positions: (accountId: string) => accounts.positions(accountId),
    executions: (accountId: string) => orders.executions(accountId, 0 as Instant),
  };
  return {
    bringUpToDate,
    sessions,
    people,
    permissions,
    books,
    faults,
    stream,
    close: () => database.close(),
  };
}

function wait(ms: number): Promise<void> {
  return new Promise((done) => setTimeout(done, ms));
}
