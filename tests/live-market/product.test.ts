// The whole product on a live market, as an operator starts it with the keys of a paper account: real time, Alpaca's prices and
// Alpaca's account, both by stand-ins on this machine.
import { rmSync } from 'node:fs';
import Fastify from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { BrokerConnection } from '#contract/brokerage.ts';
import type { Health } from '#contract/operations/health.ts';
import { withShareActions } from '#sandbox/market/share-actions.ts';
import { DEFAULT_SEED, simulatedMarket } from '#sandbox/market/simulated-market.ts';
import { mountAlpacaMarketData } from '#sandbox/alpaca/market-data/market-data.ts';
import { mountAlpaca, type StandIn } from '#sandbox/alpaca/stand-in.ts';
import { approveAtAlpaca } from '#tests/support/approve-at-alpaca.ts';
import { ask } from '#tests/support/both-books.ts';
import { liveInstallation, planOf } from '#tests/support/live-installation.ts';
import { mailServer } from '#tests/support/mail-server.ts';
import { deploy, type Investor, makeInvestor } from '#tests/support/investor.ts';
import { type ProductHome, productHome, type RunningProduct } from '#tests/support/product.ts';
import { walkInSteps } from '#tests/support/steps.ts';
import { instant } from '#units/instant.ts';

const SYMBOLS = ['BWMKT', 'TLCO', 'NVSM', 'LKSD'];
const KEYS = { id: 'PKPRACTICE', secret: 'a secret of the operator' };
const CLIENT = { id: 'our client', secret: 'a secret of ours' };

describe('the product on a live market', () => {
  const app = Fastify();
  const prices = withShareActions(simulatedMarket(DEFAULT_SEED));
  const now = () => instant(Date.now());
  let standIn: StandIn;
  let mails: Awaited<ReturnType<typeof mailServer>>;
  let home: ProductHome;
  let settings: Record<string, string>;
  let product: RunningProduct;
  let investor: Investor;
  const textOf = async (page: string) => (await fetch(home.baseUrl + page)).text();
  const rows = (query: string) => ask(home.databaseUrl().replace(/bellwether$/, 'bellwether_live'), query);

  beforeAll(async () => {
    standIn = mountAlpaca(app, { prices, now, client: CLIENT });
    await app.register(async (scope) => mountAlpacaMarketData(scope, { prices, now, keys: KEYS }));
    const address = await app.listen({ host: '127.0.0.1', port: 0 });
    home = await productHome();
    mails = await mailServer({});
    settings = {
      ...liveInstallation(`${home.dataDir}-key/key`, mails.url),
      MARKET: 'live',
      MARKET_SYMBOLS: SYMBOLS.join(','),
      APCA_API_KEY_ID: KEYS.id,
      APCA_API_SECRET_KEY: KEYS.secret,
      ALPACA_DATA_URL: address,
      ALPACA_TRADING_URL: address,
      BROKER: 'alpaca',
      BROKER_BASE_URL: address,
      BROKER_AUTHORIZE_URL: `${address}/oauth/authorize`,
      BROKER_TOKEN_URL: `${address}/oauth/token`,
      ALPACA_CLIENT_ID: CLIENT.id,
      ALPACA_CLIENT_SECRET: CLIENT.secret,
    };
  }, 60_000);
  afterAll(async () => {
    await home?.remove();
    rmSync(`${home.dataDir}-key`, { recursive: true, force: true });
    mails?.close();
    await app.close();
  }, 60_000);

  const step = walkInSteps({ timeout: 120_000 });

  step('a wrong setting is refused before anything starts, with the way out', async () => {
    const cases = [
      [{ APCA_API_KEY_ID: '' }, 'APCA_API_KEY_ID is not set, and live prices need it'],
      [{ BROKER: 'sandbox' }, 'BROKER=sandbox has practice accounts on simulated prices'],
      [{ BROKER_BASE_URL: 'https://api.alpaca.markets' }, 'MARKET=live trades practice money only'],
      [{ PROVIDER_COMPANY: '' }, 'PROVIDER_COMPANY is not set'],
      [{ HOST: '0.0.0.0' }, 'HOST is 0.0.0.0'],
    ] as const;
    for (const [change, sentence] of cases) {
      const { code, output } = await home.launch({ ...settings, ...change }).ended;
      expect(output).toContain(sentence);
      expect(output).not.toContain('Starting the database');
      expect(code).toBe(1);
    }
  });

  step('it starts without a sandbox and without a demo account, in real time', async () => {
    product = await home.start(settings);
    expect(product.output()).not.toMatch(/sandbox|Demo sign-in/i);
    const health = (await (await fetch(`${home.baseUrl}/api/health/`)).json()) as Health;
    expect(health.market).toMatchObject({ mode: 'live', day_seconds: 86_400 });
    expect(Math.abs(Date.parse(health.market.now ?? '') - Date.now())).toBeLessThan(60_000);
  });

  step('no page or mail of the sandbox is served, and the demo account cannot be made', async () => {
    for (const page of ['/sandbox', '/sandbox/', '/sandbox/mailbox'])
      expect((await fetch(home.baseUrl + page)).status).toBe(404);
    const demo = await home.run('demo', [], settings);
    expect(demo).toMatchObject({
      code: 1,
      output: expect.stringContaining('there is no command "demo" here'),
    });
    expect(await rows('select email from users')).toEqual([]);
  });

  step('its pages name the company that is set, and nothing in brackets', async () => {
    for (const page of ['/', '/legal-disclosures', '/faq', '/not-a-page', '/legal-disclosures.html']) {
      const html = await textOf(page);
      expect(html).toContain('Steady Hand Advisers (Pty) Ltd');
      expect(html).not.toMatch(/fictitious|%PROVIDER|\[Provider|XXXX/);
    }
  });

  step('its catalogue is tested on the vendor’s bars, kept as live ones', async () => {
    const kept = await rows('select distinct source from bars');
    expect(kept).toEqual([{ source: 'live' }]);
    const shares = await rows('select symbol from instruments order by symbol');
    expect(shares.map(({ symbol }) => symbol)).toEqual(SYMBOLS.toSorted());
    const listed = await rows('select name from strategies order by name');
    expect(listed.map(({ name }) => name)).toEqual(
      [...SYMBOLS.map((symbol) => `${symbol} above its average`), 'Leaders of the year'].toSorted(),
    );
  });

  step('the doctor finds nothing wrong, and names wrong keys', async () => {
    const fit = await home.run('doctor', [], settings);
    expect(fit.output).not.toContain('NOT OK');
    expect(fit.code).toBe(0);
    const wrong = await home.run('doctor', [], { ...settings, APCA_API_SECRET_KEY: 'another' });
    expect(wrong.output).toContain(
      'NOT OK  clock: the vendor refuses APCA_API_KEY_ID and APCA_API_SECRET_KEY',
    );
    expect(wrong.code).toBe(1);
  });

  step('a client gives access to a paper account and deploys', async () => {
    investor = await makeInvestor(home.baseUrl, 'ada@live.example', approveAtAlpaca);
    const connection = `/api/broker-connections/${investor.connectionId}/`;
    await expect
      .poll(() => investor.call<BrokerConnection>('GET', connection))
      .toMatchObject({ connection_status: 'active' });
    await rows(planOf('ada@live.example'));
    await deploy(investor, 'Leaders of the year', { amount: 20_000 });
  });

  step('its orders reach the paper account, at prices of the vendor', async () => {
    await expect
      .poll(() => standIn.books.orders.length, { timeout: 60_000, interval: 250 })
      .toBeGreaterThan(0);
    const orders = await rows('select symbol, client_order_id from orders');
    const known = new Map(orders.map(({ symbol, client_order_id: id }) => [id, symbol]));
    for (const { clientOrderId, instrument, limit } of standIn.books.orders) {
      const { symbol } = instrument;
      expect(known.get(clientOrderId)).toBe(symbol);
      const price = prices.quote(symbol, now())?.last ?? 0;
      expect(Math.abs((limit ?? 0) / price - 1)).toBeLessThan(0.1);
    }
  });

  test('it ends as it is asked to', async () => {
    expect((await product.stop()).code).toBe(0);
  });
});
