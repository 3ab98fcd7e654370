// `npm start` with another broker than our own: what it refuses, in which words, and that Alpaca's stand-in is reached.
import Fastify from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { signIn } from '#processes/demo-world/demo-account/person.ts';
import { fixedPrices, SATURDAY } from '#tests/broker/fixed-prices.ts';
import { mountAlpaca } from '#sandbox/alpaca/stand-in.ts';
import { freePort, type ProductHome, READY_WITHIN_MS } from '#tests/support/product.ts';
import { marketWorld } from './stand-in/market-world.ts';
import { homeWithTape, REPLAY } from './stage.ts';

const client = { id: 'our client', secret: 'a secret of ours' };
const app = Fastify();
let home: ProductHome;
let settings: Record<string, string>;

beforeAll(async () => {
  const SANDBOX_PORT = String(await freePort());
  const market = marketWorld(`http://127.0.0.1:${SANDBOX_PORT}`);
  mountAlpaca(app, { prices: fixedPrices(), now: () => SATURDAY, client });
  app.get('/market/clock', () => market.clock());
  const address = await app.listen({ host: '127.0.0.1', port: 0 });
  home = await homeWithTape();
  settings = {
    ...REPLAY,
    SANDBOX_PORT,
    BROKER: 'alpaca',
    BROKER_CLOCK: 'market',
    BROKER_BASE_URL: address,
    BROKER_AUTHORIZE_URL: `${address}/oauth/authorize`,
    BROKER_TOKEN_URL: `${address}/oauth/token`,
    ALPACA_CLIENT_ID: client.id,
    ALPACA_CLIENT_SECRET: client.secret,
  };
}, 60_000);
afterAll(async () => {
  await home?.remove();
  await app.close();
}, 60_000);

test('a wrong combination of settings is refused before anything starts, with the way out', {
  timeout: 120_000,
}, async () => {
  const cases = [
    [
      { BROKER_CLOCK: '' },
      'BROKER=alpaca would trade real orders on past prices, because MARKET is replay. Set BROKER=sandbox; or',
    ],
    [{ BROKER_BASE_URL: 'https://api.alpaca.markets' }, 'Set BROKER_BASE_URL to one on this machine'],
    [{ ALPACA_CLIENT_SECRET: '' }, 'ALPACA_CLIENT_SECRET must be set for BROKER=alpaca'],
    [
      { BROKER: 'interactive-brokers', ALPACA_CLIENT_ID: '', ALPACA_CLIENT_SECRET: '' },
      'IBKR_CONSUMER_KEY must be set for BROKER=interactive-brokers',
    ],
  ] as const;
  for (const [change, sentence] of cases) {
    const { code, output } = await home.launch({ ...settings, ...change }).ended;
    expect(output).toContain(`Bellwether could not start: `);
    expect(output).toContain(sentence);
    expect(output).not.toContain('Starting the database');
    expect(code).toBe(1);
  }
});

test('the demo account is refused with another broker', async () => {
  const { code, output } = await home.run('demo', [], settings);
  expect(output).toContain(
    'it invests at the sandbox brokerage, and BROKER is alpaca. Run it with BROKER=sandbox.',
  );
  expect(code).toBe(1);
});

test('with Alpaca’s stand-in the product starts, offers Alpaca, and begins a sign-in there', {
  timeout: READY_WITHIN_MS,
}, async () => {
  const product = await home.start(settings);
  expect(product.output()).toContain(`Trading through alpaca at ${settings.BROKER_BASE_URL}`);
  const person = await signIn(home.baseUrl, {
    email: 'ada@alpaca.example',
    password: 'a steady hand 42',
    firstName: 'Ada',
  });
  const brokers = await person.call<{ id: string; name: string; status: string }[]>('GET', '/api/brokers/');
  const offered = brokers.filter(({ status }) => status === 'available');
  expect(offered.map(({ name }) => name)).toEqual(['Alpaca']);
  const begun = await person.call<{ authorize_url: string }>('POST', '/api/broker-connections/', {
    broker: offered[0]?.id,
  });
  expect(begun.authorize_url).toContain(settings.BROKER_AUTHORIZE_URL);
  expect((await product.stop()).code).toBe(0);
});
