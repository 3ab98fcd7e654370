// The whole product on a live market at two brokers, for three sessions of stand-in time and the nights between them, in which
// coins trade: its own processes under npm start, stopped once and killed once, the vendors' published limits and the product's usual pacing. Its processes and both stand-ins share a clock that is moved within
// and between sessions, because a live market keeps the wall's time; between the moves it runs as the wall's does.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import Fastify from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Broker, BrokerConnection } from '#contract/brokerage.ts';
import { REQUESTS_PER_MINUTE } from '#sandbox/alpaca/faults/request-limit.ts';
import { mountAlpacaMarketData } from '#sandbox/alpaca/market-data/market-data.ts';
import { mountAlpaca, type StandIn } from '#sandbox/alpaca/stand-in.ts';
import { DEFAULT_SEED, simulatedMarket } from '#sandbox/market/simulated-market.ts';
import { approveAtAlpaca } from '#tests/support/approve-at-alpaca.ts';
import { ask } from '#tests/support/both-books.ts';
import { deploy, type Investor, makeInvestor } from '#tests/support/investor.ts';
import { liveInstallation, planOf } from '#tests/support/live-installation.ts';
import { mailServer } from '#tests/support/mail-server.ts';
import { type ProductHome, productHome, type RunningProduct } from '#tests/support/product.ts';
import { walkInSteps } from '#tests/support/steps.ts';
import { cashDifferences, executionDifferences, holdingDifferences } from '../second-broker/compare-books.ts';
import { registerConsumer } from '../second-broker/consumer-keys.ts';
import { signInAtSecondBroker } from '../second-broker/sign-in.ts';
import { SecondBroker } from '../second-broker/stand-in/second-broker.ts';
import { type MovedClock, movedClock } from './moved-clock.ts';

const SYMBOLS = ['BWMKT', 'TLCO', 'NVSM', 'LKSD'];
/** At the clock's begin both are above their averages; bitcoin falls below its own on the second evening. */
const COINS = ['BTC/USD', 'ETH/USD'];
const [BTC, ETH] = ['BTCUSD', 'ETHUSD'];
const KEYS = { id: 'PKPRACTICE', secret: 'a key of the operator' };
const CLIENT = { id: 'our client', secret: 'a key of ours' };
/** As the other broker numbers its first account. */
const ACCOUNT = 'PA3000000';
const PERSON = { user: 'ada', password: 'lovelace' };
const TERMS = { amount: 20_000, stopLoss: 10 };
/** It reads every record and recomputes each published result, on machines that are busy with other tests. */
const VERIFIED_WITHIN_MS = 240_000;
/** Two of the lists that the vendor spaces, and the answers of both. */
const LISTS_MS = 12_000;

describe('the product on a live market at two brokers, with the vendors’ limits', () => {
  const app = Fastify();
  const prices = simulatedMarket(DEFAULT_SEED);
  const folder = mkdtempSync(path.join(tmpdir(), 'whole-run-'));
  let clock: MovedClock;
  let alpaca: StandIn;
  let interactiveBrokers: SecondBroker;
  let mails: Awaited<ReturnType<typeof mailServer>>;
  let home: ProductHome;
  let settings: Record<string, string>;
  let product: RunningProduct;
  const people: Investor[] = [];
  let adaAtAlpaca: string;
  const refused: string[] = [];
  const databaseUrl = () => home.databaseUrl().replace(/bellwether$/, 'bellwether_live');
  const rows = (query: string) => ask(databaseUrl(), query);
  const compared = () => ({ books: interactiveBrokers.books, account: ACCOUNT, databaseUrl: databaseUrl() });

  beforeAll(async () => {
    clock = movedClock('2026-02-02T15:00:00Z');
    const { now } = clock;
    app.addHook('onResponse', async (request, reply) => {
      if (reply.statusCode === 429) refused.push(request.url);
    });
    alpaca = mountAlpaca(app, {
      prices,
      now,
      client: CLIENT,
      requestsPerMinute: REQUESTS_PER_MINUTE,
      realNow: now,
    });
    await app.register(async (scope) => mountAlpacaMarketData(scope, { prices, now, keys: KEYS }));
    const atAlpaca = await app.listen({ host: '127.0.0.1', port: 0 });
    const { consumer, variables } = registerConsumer(folder);
    interactiveBrokers = new SecondBroker({
      world: {
        clock: async () => ({ now: new Date(now()).toISOString() }),
        instruments: async () => prices.instruments.filter(({ symbol }) => SYMBOLS.includes(symbol)),
        prices: async (symbols) =>
          new Map(
            prices.instruments
              .filter(({ symbol }) => symbols.includes(symbol))
              .map(({ symbol }) => [symbol, prices.quote(symbol, now())!]),
          ),
      },
      consumer,
      seed: 12,
      people: { [PERSON.user]: PERSON.password },
      hasLimits: true,
      wallNow: now,
    });
    interactiveBrokers.books.open(PERSON.user, ACCOUNT, 1_000_000);
    const atInteractiveBrokers = await interactiveBrokers.listen();
    home = await productHome();
    mails = await mailServer({});
    settings = {
      ...clock.settings,
      ...liveInstallation(path.join(folder, 'key'), mails.url),
      ...variables,
      MARKET: 'live',
      MARKET_SYMBOLS: [...SYMBOLS, ...COINS].join(','),
      APCA_API_KEY_ID: KEYS.id,
      APCA_API_SECRET_KEY: KEYS.secret,
      ALPACA_DATA_URL: atAlpaca,
      ALPACA_TRADING_URL: atAlpaca,
      BROKER: 'interactive-brokers,alpaca',
      IBKR_BASE_URL: `${atInteractiveBrokers}/v1/api`,
      IBKR_AUTHORIZE_URL: `${atInteractiveBrokers}/sso/authorize`,
      ALPACA_BASE_URL: atAlpaca,
      ALPACA_AUTHORIZE_URL: `${atAlpaca}/oauth/authorize`,
      ALPACA_TOKEN_URL: `${atAlpaca}/oauth/token`,
      ALPACA_CLIENT_ID: CLIENT.id,
      ALPACA_CLIENT_SECRET: CLIENT.secret,
    };
  }, 60_000);
  afterAll(async () => {
    await home?.remove();
    await interactiveBrokers?.close();
    await app.close();
    mails?.close();
    clock?.remove();
    rmSync(folder, { recursive: true, force: true });
  }, 60_000);

  const step = walkInSteps({ timeout: 300_000 });

  /** The trader has worked twice at the new time, and has read the lists that come seconds apart. */
  const goTo = async (at: string) => {
    clock.goTo(at);
    await interactiveBrokers.catchUp();
    const beats = new Set<number>();
    await expect
      .poll(
        async () => {
          const [beat] = await rows("select beat_at, market_at from heartbeats where process = 'trader'");
          const [beatAt, marketAt] = [beat?.['beat_at'] as Date, beat?.['market_at'] as Date | null];
          if (marketAt !== null && marketAt.getTime() >= Date.parse(at)) beats.add(beatAt.getTime());
          return beats.size;
        },
        { timeout: 60_000, interval: 100 },
      )
      .toBeGreaterThanOrEqual(2);
    await sleep(LISTS_MS);
  };

  step('it starts in the session of its stand-ins', async () => {
    product = await home.start(settings);
    expect(product.output()).toContain('Trading through interactive-brokers at http://127.0.0.1:');
    expect(product.output()).toContain('Trading through alpaca at http://127.0.0.1:');
    const { output, code } = await home.run('doctor', [], settings);
    expect({ output, code }).toMatchObject({ code: 0, output: expect.not.stringContaining('NOT OK') });
  });

  step('two people connect three accounts, and deploy at both brokers', async () => {
    const ada = await makeInvestor(home.baseUrl, 'ada@whole.example', (url) =>
      signInAtSecondBroker(url, PERSON),
    );
    const brokers = await ada.call<Broker[]>('GET', '/api/brokers/');
    const broker = brokers.find(({ name }) => name === 'Alpaca')?.id;
    const begun = await ada.call<{ id: string; authorize_url: string }>('POST', '/api/broker-connections/', {
      broker,
    });
    adaAtAlpaca = begun.id;
    await approveAtAlpaca(begun.authorize_url);
    const bea = await makeInvestor(home.baseUrl, 'bea@whole.example', approveAtAlpaca, broker);
    people.push(ada, bea);
    for (const [person, id] of [
      [ada, ada.connectionId],
      [ada, adaAtAlpaca],
      [bea, bea.connectionId],
    ] as const)
      await expect
        .poll(() => person.call<BrokerConnection>('GET', `/api/broker-connections/${id}/`), {
          timeout: 30_000,
        })
        .toMatchObject({ connection_status: 'active', is_paper: true });
    for (const name of ['ada', 'bea']) await rows(planOf(`${name}@whole.example`));
    await deploy(ada, 'Leaders of the year', TERMS);
    await deploy({ ...ada, connectionId: adaAtAlpaca }, 'Leaders of the year', TERMS);
    for (const coin of [BTC, ETH])
      await deploy({ ...ada, connectionId: adaAtAlpaca }, `${coin} above its average`, TERMS);
    await deploy(bea, 'Leaders of the year', TERMS);
    for (const symbol of SYMBOLS) {
      await deploy(ada, `${symbol} above its average`, TERMS);
      await deploy(bea, `${symbol} above its average`, TERMS);
    }
  });

  const ofCoin = (symbol: string, side: 'buy' | 'sell') =>
    alpaca.books.orders.filter((one) => one.instrument.symbol === symbol && one.side === side);

  step('coins are bought at once, and kept through a restart at night', async () => {
    for (const at of ['2026-02-02T17:50:00Z', '2026-02-02T21:25:00Z', '2026-02-03T00:10:00Z']) await goTo(at);
    for (const coin of [BTC, ETH])
      expect(ofCoin(coin, 'buy').map(({ status }) => status)).toEqual(['filled']);
    expect((await product.stop()).code).toBe(0);
    product = await home.start(settings);
    await goTo('2026-02-03T00:20:00Z');
    for (const coin of [BTC, ETH]) expect(ofCoin(coin, 'buy')).toHaveLength(1);
  });

  step('a coin is sold at midnight UTC, and the power fails while a part of it is', async () => {
    for (const at of ['2026-02-03T14:35:00Z', '2026-02-03T18:00:00Z', '2026-02-03T21:25:00Z']) await goTo(at);
    expect(ofCoin(BTC, 'sell')).toEqual([]);
    alpaca.books.fillsAtMost = 0.4;
    const stopListening = alpaca.books.listen(({ event, order }) => {
      if (event === 'partial_fill' && order.instrument.symbol === BTC) alpaca.books.fillsAtMost = 0;
    });
    await goTo('2026-02-04T00:10:00Z');
    const [sale, ...others] = ofCoin(BTC, 'sell');
    expect(others).toEqual([]);
    expect(sale).toMatchObject({ status: 'partially_filled' });
    await product.killTree();
    product = await home.start(settings);
    stopListening();
    alpaca.books.fillsAtMost = 1;
    await goTo('2026-02-04T00:20:00Z');
    expect(ofCoin(BTC, 'sell').map(({ status }) => status)).toEqual(['filled']);
    expect(ofCoin(ETH, 'sell')).toEqual([]);
  });

  step('it trades for three sessions', async () => {
    for (const at of ['2026-02-04T14:35:00Z', '2026-02-04T18:00:00Z']) await goTo(at);
    expect(interactiveBrokers.books.executions.length).toBeGreaterThan(0);
    const shares = alpaca.books.fills.filter(({ order }) => order.instrument.kind === 'equity');
    expect(shares.length).toBeGreaterThan(0);
  });

  test('no limit of a vendor was broken', () => {
    expect(interactiveBrokers.broken).toEqual([]);
    expect(refused).toEqual([]);
  });

  test('nothing happened at either broker that must not', () => {
    expect(interactiveBrokers.books.findings).toEqual([]);
    const sent = alpaca.books.orders.map(({ clientOrderId }) => clientOrderId);
    expect(new Set(sent).size).toBe(sent.length);
  });

  test('both books agree at Interactive Brokers', async () => {
    expect(await executionDifferences(compared())).toEqual([]);
    expect(await holdingDifferences(compared())).toEqual([]);
    expect(await cashDifferences(compared())).toEqual([]);
  });

  test('both books agree at Alpaca', async () => {
    const booked = await rows(`
      select f.execution_id as id, o.client_order_id as "order", f.quantity, f.price from fills f
      join orders o on o.id = f.order_id join broker_connections c on c.id = o.broker_connection_id
      join brokers b on b.id = c.broker_id where b.slug = 'alpaca'`);
    const lineOf = (id: unknown, order: unknown, units: number, price: number) =>
      `${String(id)} ${String(order)} ${units} at ${price}`;
    const ours = booked.map((row) =>
      lineOf(row['id'], row['order'], Number(row['quantity']), Number(row['price'])),
    );
    const theirs = alpaca.books.fills.map(({ id, order, quantity, price }) =>
      lineOf(id, order.clientOrderId, quantity / 1e8, price),
    );
    expect(ours.toSorted()).toEqual(theirs.toSorted());
    const held = await rows(`
      select c.account_id as account, p.symbol, sum(p.quantity) as units from positions p
      join deployments d on d.id = p.deployment_id join broker_connections c on c.id = d.broker_connection_id
      join brokers b on b.id = c.broker_id where b.slug = 'alpaca' group by 1, 2 having sum(p.quantity) <> 0`);
    const known = alpaca.books.accounts.flatMap(({ number, held: units, taken }) =>
      [...units].flatMap(([symbol, count]) => {
        // Fees of coins were taken by then, to the ninth decimal.
        const left = Math.floor((count * 10 - (taken.get(symbol) ?? 0)) / 10);
        return left === 0 ? [] : [`alpaca:${number} ${symbol} ${left / 1e8}`];
      }),
    );
    expect(
      held
        .map((row) => `${String(row['account'])} ${String(row['symbol'])} ${Number(row['units'])}`)
        .toSorted(),
    ).toEqual(known.toSorted());
  });

  test('the product’s own verification finds no violation', { timeout: VERIFIED_WITHIN_MS }, async () => {
    const { code, output } = await home.run('verify', [], settings);
    expect(code, output).toBe(0);
  });

  test('one number at two vendors is two accounts, in every table', async () => {
    const accounts = await rows(`
      select account_id as account from account_cash union select account_id from broker_inbox
      union select account_id from fills union select account_id from account_openings order by 1`);
    expect(accounts.map(({ account }) => account)).toEqual(
      [
        `interactive-brokers:${ACCOUNT}`,
        ...alpaca.books.accounts.map(({ number }) => `alpaca:${number}`),
      ].toSorted(),
    );
    expect(alpaca.books.accounts[0]?.number).toBe(ACCOUNT);
    const cash = await rows(`select account_id as account, cash_micro from account_cash`);
    const of = (account: string) => Number(cash.find((row) => row['account'] === account)?.['cash_micro']);
    expect(of(`alpaca:${ACCOUNT}`)).toBeLessThanOrEqual(100_000e6);
    expect(of(`interactive-brokers:${ACCOUNT}`)).toBeGreaterThan(500_000e6);
  });

  test('it ends as it is asked to', async () => {
    expect((await product.stop()).code).toBe(0);
  });
});
