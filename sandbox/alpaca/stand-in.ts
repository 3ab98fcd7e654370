// A stand-in for Alpaca's trading API over prices of a market and practice money, written against its documentation
// alone: sign-in, account, positions, orders, fills, the stream of order events, limits, protections and scripted faults.
import type { Server } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { Instant } from '#units/instant.ts';
import type { PriceSource } from '../market/price-source.ts';
import { accountRoutes } from './accounts/account-routes.ts';
import { createFaultPlan, type FaultPlan } from './faults/fault-plan.ts';
import { limitRequests } from './faults/request-limit.ts';
import { mountFaults } from './faults/wire.ts';
import { type Books, openBooks } from './orders/books.ts';
import { orderRoutes } from './orders/order-routes.ts';
import type { AssetTerms } from './orders/protections.ts';
import { createSignIn, type SignIn } from './sign-in/sign-in.ts';
import { openTradingStream, type TradingStream } from './streams/trading-stream.ts';

export type StandIn = {
  readonly books: Books;
  readonly signIn: SignIn;
  readonly faults: FaultPlan;
  /** What is said of a share; changing it changes what its orders are refused for. */
  readonly terms: Map<string, AssetTerms>;
  readonly stream: TradingStream;
};

export function mountAlpaca(
  app: FastifyInstance,
  settings: {
    readonly prices: PriceSource;
    readonly now: () => Instant;
    readonly client: { readonly id: string; readonly secret: string };
    /** Of one key or token; no limit where it is absent. */
    readonly requestsPerMinute?: number;
    readonly realNow?: () => number;
  },
): StandIn {
  const { prices, now, client, requestsPerMinute, realNow = Date.now } = settings;
  const books = openBooks(prices);
  const faults = createFaultPlan();
  const terms = new Map<string, AssetTerms>();
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(String(body)))),
  );
  if (requestsPerMinute !== undefined) limitRequests(app, requestsPerMinute, realNow);
  mountFaults(app, faults, (ms) => new Promise((later) => void setTimeout(later, ms)));
  const signIn = createSignIn(app, books, client);
  accountRoutes(app, { books, signIn, prices, now });
  orderRoutes(app, { books, signIn, prices, terms, now });
  const stream = openTradingStream({ books, signIn, faults, now });
  stream.attach(app.server as Server);
  app.addHook('onClose', async () => stream.close());
  return { books, signIn, faults, terms, stream };
}
