// The whole product for one person, as `APCA_API_KEY_ID=… APCA_API_SECRET_KEY=… npm start` runs it: their paper account, by a
// stand-in on this machine, and real time.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import Fastify from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Health } from '#contract/operations/health.ts';
import type { Broker, BrokerConnection } from '#contract/brokerage.ts';
import { OWNER_EMAIL, ownerPasswordFile } from '#processes/installation/owner.ts';
import { type Person, signIn } from '#processes/demo-world/demo-account/person.ts';
import { withOptionMarket } from '#sandbox/market/option-market.ts';
import { withShareActions } from '#sandbox/market/share-actions.ts';
import { DEFAULT_SEED, simulatedMarket } from '#sandbox/market/simulated-market.ts';
import { mountAlpacaMarketData } from '#sandbox/alpaca/market-data/market-data.ts';
import { mountAlpaca, type StandIn } from '#sandbox/alpaca/stand-in.ts';
import { ask } from '#tests/support/both-books.ts';
import { deploy, qualify } from '#tests/support/investor.ts';
import { type ProductHome, productHome, type RunningProduct } from '#tests/support/product.ts';
import { walkInSteps } from '#tests/support/steps.ts';
import { instant } from '#units/instant.ts';

describe('the product with the keys of one’s own account', () => {
  const app = Fastify();
  const prices = withOptionMarket(withShareActions(simulatedMarket(DEFAULT_SEED)));
  const now = () => instant(Date.now());
  let standIn: StandIn;
  let home: ProductHome;
  let settings: Record<string, string>;
  let product: RunningProduct;
  let owner: Person;
  let account: string;
  /** Whose keys the market data takes. */
  let keys: { id: string; secret: string };
  const password = () => readFileSync(ownerPasswordFile(home.dataDir), 'utf8').trim();
  const rows = (query: string) => ask(home.databaseUrl().replace(/bellwether$/, 'bellwether_live'), query);
  const connections = () => owner.call<BrokerConnection[]>('GET', '/api/broker-connections/');

  beforeAll(async () => {
    // Its days are made before anybody waits for an answer.
    prices.listedAt?.(now());
    standIn = mountAlpaca(app, { prices, now, client: { id: 'unused', secret: 'unused' } });
    const mine = standIn.signIn.openWithKey();
    account = mine.account.number;
    keys = { id: mine.keyId, secret: mine.secretKey };
    await app.register(async (scope) => mountAlpacaMarketData(scope, { prices, now, keys }));
    const address = await app.listen({ host: '127.0.0.1', port: 0 });
    home = await productHome();
    settings = {
      APCA_API_KEY_ID: mine.keyId,
      APCA_API_SECRET_KEY: mine.secretKey,
      // A real account needs only the two keys.
      ALPACA_DATA_URL: address,
      ALPACA_TRADING_URL: address,
      MARKET_SYMBOLS: 'BWMKT,TLCO,NVSM,LKSD',
      MARKET_OPTIONS: 'TLCO',
      ALPACA_FEED: 'delayed',
    };
  }, 60_000);
  afterAll(async () => {
    await home?.remove();
    await app.close();
  }, 60_000);

  const step = walkInSteps({ timeout: 120_000 });

  step('it starts without sandbox or demo, and says how to sign in', async () => {
    product = await home.start(settings);
    expect(product.output()).not.toMatch(/sandbox|demo/i);
    expect(product.output()).toContain(`Your account ${account} is connected.`);
    expect(product.output()).toContain(
      `Sign in as ${OWNER_EMAIL}; the first password is in ${path.join(home.dataDir, 'keys', 'owner-password')}`,
    );
    expect(product.output()).not.toContain(password());
  });

  step('the owner signs in, and the account is there', async () => {
    owner = await signIn(home.baseUrl, { email: OWNER_EMAIL, password: password(), firstName: 'Owner' });
    expect(await connections()).toMatchObject([
      {
        connection_status: 'active',
        is_primary: true,
        is_paper: true,
        account_id: `••••${account.slice(-4)}`,
      },
    ]);
    const brokers = await owner.call<Broker[]>('GET', '/api/brokers/');
    expect(brokers.filter(({ status }) => status === 'available')).toMatchObject([
      { name: 'Alpaca', linked_by: 'operator' },
    ]);
  });

  step(
    'options on the share that is named are listed with their facts, and prices are said to be delayed',
    async () => {
      expect(product.output()).toContain('prices of shares are delayed by 15 minutes');
      const health = (await (await fetch(`${home.baseUrl}/api/health/`)).json()) as Health;
      expect(health.market).toMatchObject({ mode: 'live', delay_minutes: 15 });
      const listed = await rows(
        `select split_part(i.symbol, '.', 1) as underlying, count(*)::int as contracts, count(distinct i.expiry)::int as expiries,
         bool_and(exists (select from instrument_facts f where f.symbol = i.symbol and f.kind = 'vendor_id')) as known
       from instruments i where kind = 'options' group by 1`,
      );
      expect(listed).toMatchObject([{ underlying: 'TLCO', expiries: 2, known: true }]);
      expect(await rows(`select kind from strategies where name = 'Covered call on TLCO'`)).toEqual([
        { kind: 'options' },
      ]);
    },
  );

  step('nobody else can connect an account here', async () => {
    const email = 'guest@live.example';
    const guest = await signIn(home.baseUrl, { email, password: 'a steady hand 42', firstName: 'Guest' });
    const brokers = await guest.call<Broker[]>('GET', '/api/brokers/');
    const broker = brokers.find(({ status }) => status === 'available')?.id;
    await expect(guest.call('POST', '/api/broker-connections/', { broker })).rejects.toThrow(
      'This installation trades the Alpaca account of its own keys.',
    );
  });

  step('the owner deploys, and the orders reach the account', async () => {
    await qualify(owner);
    const connectionId = (await connections())[0]?.id ?? '';
    await deploy({ ...owner, connectionId }, 'Leaders of the year', { amount: 20_000 });
    await expect
      .poll(() => standIn.books.orders.length, { timeout: 60_000, interval: 250 })
      .toBeGreaterThan(0);
    expect(new Set(standIn.books.orders.map((order) => order.account.number))).toEqual(new Set([account]));
  });

  step('with the keys of another account it does not start, and says why', async () => {
    expect((await product.stop()).code).toBe(0);
    const other = standIn.signIn.openWithKey();
    const before = { ...keys };
    Object.assign(keys, { id: other.keyId, secret: other.secretKey });
    const { code, output } = await home.launch({
      ...settings,
      APCA_API_KEY_ID: other.keyId,
      APCA_API_SECRET_KEY: other.secretKey,
    }).ended;
    Object.assign(keys, before);
    expect(output).toContain(
      `the keys are of account ${other.account.number}, and this data folder trades account ${account}.`,
    );
    expect(code).toBe(1);
  });

  test('the next start has the same account, once', { timeout: 120_000 }, async () => {
    product = await home.start(settings);
    owner = await signIn(home.baseUrl, { email: OWNER_EMAIL, password: password(), firstName: 'Owner' });
    expect(await connections()).toHaveLength(1);
    expect((await product.stop()).code).toBe(0);
  });
});
