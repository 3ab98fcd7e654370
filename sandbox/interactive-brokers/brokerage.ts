// The sandbox brokerage: the Web API of Interactive Brokers over simulated prices and practice money.
import type { FastifyInstance } from 'fastify';
import type { Instrument } from '#engine/market/instrument.ts';
import type { Instant } from '#units/instant.ts';
import type { PriceSource } from '../market/price-source.ts';
import { openAccountBook } from './account-book.ts';
import { authorizeRoutes } from './authorize-routes.ts';
import type { Consumer } from './consumer.ts';
import { listContracts } from './contract-list.ts';
import { contractRoutes } from './contract-routes.ts';
import { openDatabase } from './database.ts';
import { createGate } from './gate.ts';
import { createMatching } from './matching.ts';
import { createOauthCheck } from './oauth-check.ts';
import { oauthRoutes } from './oauth-routes.ts';
import { createNights } from './nights.ts';
import { openOrderBook } from './order-book.ts';
import { createOrderEntry } from './order-entry.ts';
import { orderRoutes } from './order-routes.ts';
import { openPeople } from './people.ts';
import { openPermissions } from './permissions.ts';
import { portfolioRoutes } from './portfolio-routes.ts';
import { sessionRoutes } from './session-routes.ts';
import { openSessions, type Sessions } from './sessions.ts';

export type BrokerageSettings = {
  /** The SQLite file of its books. */
  readonly file: string;
  readonly consumer: Consumer;
  readonly prices: PriceSource;
  readonly now: () => Instant;
  readonly callbackHosts?: readonly string[];
  readonly realNow?: () => number;
};

export type Brokerage = {
  /** Fills what there is to fill up to the moment. Reads do so by themselves. */
  bringUpToDate(): Instant;
  readonly sessions: Sessions;
  close(): void;
};

/** The continuous series of a future is for reading only. */
function isTradable({ kind, expiry }: Instrument): boolean {
  return kind !== 'futures' || expiry !== null;
}

/** Puts the API under /v1/api and the sign-in pages under /authorize of an app. */
export function mountBrokerage(app: FastifyInstance, settings: BrokerageSettings): Brokerage {
  const { consumer, prices, callbackHosts = [], realNow = Date.now } = settings;
  const database = openDatabase(settings.file);
  const contracts = listContracts(prices.instruments.filter(isTradable));
  const people = openPeople(database);
  const permissions = openPermissions(database, consumer, realNow);
  const sessions = openSessions(realNow);
  const check = createOauthCheck(consumer, realNow);
  const gate = createGate({ people, permissions, sessions, check });
  const accounts = openAccountBook(database, contracts, prices);
  const orders = openOrderBook(database, realNow);
  const matching = createMatching({ database, contracts, prices, accounts, orders });
  const nights = createNights({ database, contracts, prices, accounts });
  const entry = createOrderEntry({ database, contracts, accounts, orders, matching, realNow });
  const bringUpToDate = () => {
    const at = settings.now();
    nights.passUntil(at, (end) => matching.runUntil(end));
    matching.runUntil(at);
    return at;
  };

  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: 16_384 },
    (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(String(body)))),
  );
  void app.register(
    (api, _options, done) => {
      oauthRoutes(api, { consumer, check, permissions, sessions });
      sessionRoutes(api, gate, sessions);
      portfolioRoutes(api, { gate, accounts, contracts, bringUpToDate });
      contractRoutes(api, { gate, contracts, prices, now: settings.now });
      orderRoutes(api, { gate, entry, orders, contracts, bringUpToDate });
      done();
    },
    { prefix: '/v1/api' },
  );
  authorizeRoutes(app, {
    people,
    permissions,
    cashOf: (accountId) => accounts.value(accountId, settings.now()).cash,
    callbackHosts,
    realNow,
  });
  return { bringUpToDate, sessions, close: () => database.close() };
}
