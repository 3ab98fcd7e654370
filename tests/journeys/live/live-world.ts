// A live installation on this machine: the whole product with two brokers and two feeds, on stand-ins, in stand-in time within a
// session of the exchange; and the ways in which its feeds fail.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import Fastify from 'fastify';
import { mountAlpacaMarketData } from '#sandbox/alpaca/market-data/market-data.ts';
import type { Halts } from '#sandbox/alpaca/market-data/settings.ts';
import { mountAlpaca } from '#sandbox/alpaca/stand-in.ts';
import type { PriceStream } from '#sandbox/alpaca/streams/price-stream.ts';
import type { PriceSource } from '#sandbox/market/price-source.ts';
import { DEFAULT_SEED, simulatedMarket } from '#sandbox/market/simulated-market.ts';
import { mountMassive } from '#sandbox/massive/market-data.ts';
import type { Symbol } from '#units/identifiers.ts';
import { MINUTE_MS } from '#units/instant.ts';
import { liveInstallation } from '#tests/support/live-installation.ts';
import { mailServer } from '#tests/support/mail-server.ts';
import { type ProductHome, productHome } from '#tests/support/product.ts';
import { type MovedClock, movedClock } from '../../live-market/moved-clock.ts';
import { registerConsumer } from '../../second-broker/consumer-keys.ts';
import { SecondBroker } from '../../second-broker/stand-in/second-broker.ts';

const SYMBOLS = ['BWMKT', 'TLCO', 'NVSM', 'LKSD'];
const KEYS = { id: 'PKLIVEWORLD', secret: 'a key of the operator' };
const CLIENT = { id: 'our client', secret: 'a key of ours' };
const MASSIVE_KEY = 'a key of the second feed';
/** Noon of a trading day in New York. */
const BEGIN = '2026-02-03T17:00:00Z';
export const AT_INTERACTIVE_BROKERS = { user: 'ada', password: 'lovelace' };

export type LiveWorld = {
  readonly home: ProductHome;
  readonly settings: Readonly<Record<string, string>>;
  readonly feeds: FeedFaults;
  databaseUrl(): string;
  /** Minutes of the wall pass at once. */
  pass(minutes: number): void;
  remove(): Promise<void>;
};

export type FeedFaults = {
  /** The first feed answers with a failure, or as before. */
  isSilent: boolean;
  /** The second feed does. */
  isCheckSilent: boolean;
  /** What the second feed says of a share, as a multiple of what the first says. */
  readonly contradicted: Map<string, number>;
  /** The prices of a share stand still from now on, or move again. */
  stand(symbol: string): void;
  move(symbol: string): void;
  /** The exchange halts trading in a share, and resumes it. */
  halt(symbol: string): void;
  resume(symbol: string): void;
};

export async function openLiveWorld(): Promise<LiveWorld> {
  const clock = movedClock(BEGIN);
  const prices = simulatedMarket(DEFAULT_SEED);
  const folder = mkdtempSync(path.join(tmpdir(), 'live-world-'));
  const atVendors = await openVendors(prices, clock);
  const broker = await openSecondBroker(prices, { clock, folder });
  const mails = await mailServer({});
  const home = await productHome();
  return {
    home,
    feeds: atVendors.feeds,
    databaseUrl: () => home.databaseUrl().replace(/bellwether$/, 'bellwether_live'),
    pass: (minutes) => clock.goTo(new Date(clock.now() + minutes * MINUTE_MS).toISOString()),
    settings: {
      ...clock.settings,
      ...liveInstallation(path.join(folder, 'key'), mails.url),
      ...atVendors.settings,
      ...broker.settings,
      MARKET: 'live',
      MARKET_SYMBOLS: SYMBOLS.join(','),
      MARKET_FEEDS: 'equity=alpaca,massive',
      BROKER: 'interactive-brokers,alpaca',
    },
    async remove() {
      await home.remove();
      await broker.standIn.close();
      await atVendors.close();
      mails.close();
      clock.remove();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Alpaca with accounts and prices, and Massive, each at an address of its own. */
async function openVendors(prices: PriceSource, { now }: MovedClock) {
  const [alpaca, massive] = [Fastify(), Fastify()];
  const halts: Halts = new Map();
  const contradicted = new Map<string, number>();
  let stream: PriceStream | undefined;
  const feeds: FeedFaults = {
    get isSilent() {
      return stream?.isMute ?? false;
    },
    set isSilent(isMute) {
      if (stream !== undefined) stream.isMute = isMute;
    },
    isCheckSilent: false,
    contradicted,
    stand: (symbol) => void halts.set(symbol, now()),
    move: (symbol) => void halts.delete(symbol),
    halt: (symbol) => stream?.halt(symbol),
    resume: (symbol) => stream?.resume(symbol),
  };
  alpaca.addHook('onRequest', async (request, reply) => {
    if (feeds.isSilent && request.url.startsWith('/v2/stocks')) await reply.code(503).send();
  });
  massive.addHook('onRequest', async (_request, reply) => {
    if (feeds.isCheckSilent) await reply.code(503).send();
  });
  mountAlpaca(alpaca, { prices, now, client: CLIENT, realNow: now });
  await alpaca.register(async (scope) => {
    stream = mountAlpacaMarketData(scope, { prices, now, keys: KEYS, halts });
  });
  mountMassive(massive, { prices: scaled(prices, contradicted), now, apiKey: MASSIVE_KEY });
  const [atAlpaca, atMassive] = await Promise.all(
    [alpaca, massive].map((app) => app.listen({ host: '127.0.0.1', port: 0 })),
  );
  return {
    feeds,
    settings: {
      APCA_API_KEY_ID: KEYS.id,
      APCA_API_SECRET_KEY: KEYS.secret,
      ALPACA_DATA_URL: atAlpaca!,
      ALPACA_TRADING_URL: atAlpaca!,
      ALPACA_BASE_URL: atAlpaca!,
      ALPACA_AUTHORIZE_URL: `${atAlpaca}/oauth/authorize`,
      ALPACA_TOKEN_URL: `${atAlpaca}/oauth/token`,
      ALPACA_CLIENT_ID: CLIENT.id,
      ALPACA_CLIENT_SECRET: CLIENT.secret,
      MASSIVE_API_KEY: MASSIVE_KEY,
      MASSIVE_URL: atMassive!,
    },
    close: async () => void (await Promise.all([alpaca.close(), massive.close()])),
  };
}

function scaled(prices: PriceSource, by: ReadonlyMap<string, number>): PriceSource {
  return {
    instruments: prices.instruments,
    dailyBars: (symbol, range) => prices.dailyBars(symbol, range),
    quote(symbol, at) {
      const quote = prices.quote(symbol, at);
      const factor = by.get(symbol) ?? 1;
      if (quote === null || factor === 1) return quote;
      const { last, bid, ask } = quote;
      return { ...quote, last: last * factor, bid: bid * factor, ask: ask * factor };
    },
  };
}

async function openSecondBroker(
  prices: PriceSource,
  { clock: { now }, folder }: { clock: MovedClock; folder: string },
) {
  const { consumer, variables } = registerConsumer(folder);
  const standIn = new SecondBroker({
    world: {
      clock: async () => ({ now: new Date(now()).toISOString() }),
      instruments: async () => prices.instruments.filter(({ symbol }) => SYMBOLS.includes(symbol)),
      prices: async (symbols) =>
        new Map(symbols.map((symbol) => [symbol, prices.quote(symbol as Symbol, now())!])),
    },
    consumer,
    seed: 12,
    people: { [AT_INTERACTIVE_BROKERS.user]: AT_INTERACTIVE_BROKERS.password },
    wallNow: now,
  });
  standIn.books.open(AT_INTERACTIVE_BROKERS.user, 'DU4400123', 1_000_000);
  const address = await standIn.listen();
  return {
    standIn,
    settings: {
      ...variables,
      IBKR_BASE_URL: `${address}/v1/api`,
      IBKR_AUTHORIZE_URL: `${address}/sso/authorize`,
    },
  };
}
