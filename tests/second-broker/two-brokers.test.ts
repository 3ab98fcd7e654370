// The whole product with two brokers at once: one person connects an account at each through its own pages, deploys on both, and
// each order is filled by the broker of its connection. What was sent to either is searched for what is the other's.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Broker, BrokerConnection } from '#contract/brokerage.ts';
import { deploy, type Investor, makeInvestor } from '#tests/support/investor.ts';
import { walkInSteps } from '#tests/support/steps.ts';
import { type AlpacaBeside, openAlpacaBeside } from './alpaca-beside.ts';
import { approveAtAlpaca } from '#tests/support/approve-at-alpaca.ts';
import { signInAtSecondBroker } from './sign-in.ts';
import { openStage, type Stage } from './stage.ts';

const ACCOUNT = 'DU7001';
const PERSON = { user: 'ada', password: 'lovelace' };

describe('the product at two brokers', () => {
  let stage: Stage;
  let alpaca: AlpacaBeside;
  let settings: Record<string, string>;
  let investor: Investor;
  let atAlpaca: string;

  beforeAll(async () => {
    stage = await openStage({ seed: 12, people: { [PERSON.user]: PERSON.password } });
    stage.broker.books.open(PERSON.user, ACCOUNT, 1_000_000);
    alpaca = await openAlpacaBeside({
      feedUrl: `http://127.0.0.1:${stage.settings['SANDBOX_PORT']}`,
      dataDir: stage.home.dataDir,
    });
    settings = { ...stage.settings, ...alpaca.settings, BROKER: 'interactive-brokers,alpaca' };
  });
  afterAll(async () => {
    await stage?.close();
    await alpaca?.close();
  }, 60_000);

  const step = walkInSteps({ timeout: 120_000 });
  const day = async (date: string, ...times: string[]) => {
    for (const time of times) await stage.goTo(`${date}T${time}:00Z`);
  };

  step('a setting that one of the two lacks is refused before anything starts, by name', async () => {
    for (const [change, sentence] of [
      [{ ALPACA_BASE_URL: '' }, 'Set ALPACA_BASE_URL to one on this machine'],
      [{ ALPACA_CLIENT_SECRET: '' }, 'ALPACA_CLIENT_SECRET must be set for BROKER=alpaca'],
      [{ IBKR_CONSUMER_KEY: '' }, 'IBKR_CONSUMER_KEY must be set for BROKER=interactive-brokers'],
    ] as const) {
      const { code, output } = await stage.home.launch({ ...settings, ...change }).ended;
      expect(output).toContain(sentence);
      expect(code).toBe(1);
    }
  });

  step('npm start offers both brokers, and the doctor examines both', async () => {
    const product = await stage.home.start(settings);
    await stage.clock.pause();
    expect(product.output()).toContain('Trading through interactive-brokers at http://127.0.0.1:');
    expect(product.output()).toContain('Trading through alpaca at http://127.0.0.1:');
    const { output } = await stage.home.run('doctor', [], settings);
    expect(output).toContain('ok  broker settings of interactive-brokers');
    expect(output).toContain('ok  broker settings of alpaca');
  });

  step('a person connects an account at each', async () => {
    investor = await makeInvestor(stage.home.baseUrl, 'ada@two.example', (url) =>
      signInAtSecondBroker(url, PERSON),
    );
    const brokers = await investor.call<Broker[]>('GET', '/api/brokers/');
    const available = brokers.filter(({ status }) => status === 'available');
    expect(available.map(({ name }) => name)).toEqual(['Interactive Brokers', 'Alpaca']);
    const begun = await investor.call<{ id: string; authorize_url: string }>(
      'POST',
      '/api/broker-connections/',
      { broker: available[1]?.id },
    );
    atAlpaca = begun.id;
    await approveAtAlpaca(begun.authorize_url);
    for (const id of [investor.connectionId, atAlpaca])
      await expect
        .poll(() => investor.call<BrokerConnection>('GET', `/api/broker-connections/${id}/`))
        .toMatchObject({ connection_status: 'active' });
    for (const id of [investor.connectionId, atAlpaca])
      expect(await investor.call('POST', `/api/broker-connections/${id}/test_connection/`)).toMatchObject({
        success: true,
      });
  });

  step('deployments on both are filled, each by its own broker', async () => {
    const plan = { plan: 'pro', interval: 'monthly' };
    await investor.call('POST', '/api/billing/plan/', plan, { 'idempotency-key': 'plan' });
    await day('2026-02-02', '15:00');
    const terms = { amount: 20_000, stopLoss: 10 };
    for (const connectionId of [investor.connectionId, atAlpaca])
      for (const share of ['ALFA', 'BRVO'])
        await deploy({ ...investor, connectionId }, `${share} above its average`, terms);
    await stage.settled();
    await day('2026-02-02', '17:50', '21:05');
    await day('2026-02-03', '14:35', '17:50', '21:05');
    await day('2026-02-04', '14:35', '17:50', '21:05');
    expect(stage.broker.books.executions.length).toBeGreaterThan(0);
    expect(alpaca.standIn.books.fills.length).toBeGreaterThan(0);
  });

  test('each order and each fill is at the broker of its connection, and at no other', async () => {
    const booked = await stage.rows(`
      select b.slug as vendor, o.client_order_id as id from orders o
      join broker_connections c on c.id = o.broker_connection_id join brokers b on b.id = c.broker_id
      where o.broker_order_id is not null`);
    const of = (vendor: string) =>
      new Set(booked.filter((one) => one['vendor'] === vendor).map(({ id }) => id));
    const there = new Set(alpaca.standIn.books.orders.map(({ clientOrderId }) => clientOrderId));
    expect(there).toEqual(of('alpaca'));
    expect(of('interactive-brokers').size).toBeGreaterThan(0);
    const sentThere = stage.broker.received.filter((one) => one.includes('/orders')).join('\n');
    for (const id of of('interactive-brokers')) expect(sentThere).toContain(id);
    for (const id of of('alpaca')) expect(sentThere).not.toContain(id);
    const fills = await stage.rows(`
      select b.slug as vendor, count(*)::int as fills from broker_inbox i
      join broker_connections c on c.id = i.connection_id join brokers b on b.id = c.broker_id
      where i.closed_at is not null group by 1 order by 1`);
    expect(fills).toEqual([
      { vendor: 'alpaca', fills: alpaca.standIn.books.fills.length },
      // With its revisions.
      { vendor: 'interactive-brokers', fills: expect.any(Number) },
    ]);
    expect(fills[1]?.['fills']).toBeGreaterThanOrEqual(stage.broker.books.executions.length);
  });

  test('neither broker was shown anything that is the other’s', () => {
    const atInteractiveBrokers = stage.broker.received.join('\n');
    const toAlpaca = alpaca.received.join('\n');
    const tokens = [...toAlpaca.matchAll(/"authorization":"Bearer ([^"]+)"/g)].map(([, token]) => token!);
    const grants = stage.broker.permissions.grants.map(({ token }) => token);
    const { ALPACA_CLIENT_ID: id = '', ALPACA_CLIENT_SECRET: secret = '' } = alpaca.settings;
    const { IBKR_CONSUMER_KEY: consumer = '' } = stage.settings;
    expect(new Set(tokens).size).toBe(1);
    expect(grants).toHaveLength(1);
    // What is searched for is really sent: to its own broker.
    for (const own of [encodeURIComponent(grants[0]!), consumer]) expect(atInteractiveBrokers).toContain(own);
    for (const own of [tokens[0]!, secret]) expect(toAlpaca).toContain(own);
    for (const theirs of [tokens[0]!, id, secret, 'Bearer '])
      expect(atInteractiveBrokers).not.toContain(theirs);
    for (const theirs of [grants[0]!, consumer, 'OAuth ']) expect(toAlpaca).not.toContain(theirs);
  });

  test('the product’s own verification holds at both', async () => {
    const { code, output } = await stage.home.run('verify', [], settings);
    expect(code, output).toBe(0);
  });

  test('a broker of which connections are stored cannot be left out', async () => {
    const alone = Object.fromEntries(
      Object.entries(settings).filter(([name]) => !name.startsWith('ALPACA_')),
    );
    const without = await stage.home.run('catalogue', [], { ...alone, BROKER: 'interactive-brokers' });
    expect(without.code).toBe(1);
    expect(without.output).toContain('holds 1 permissions of clients for the broker alpaca at 127.0.0.1:');
  });
});
