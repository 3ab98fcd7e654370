// The whole product against a broker that others wrote: started by the documented settings alone, a client signs in through
// the broker's pages, deploys and trades for days, while sessions end, keys expire and the trader is killed. What is
// true is what the broker's own books say.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import type { Deployment } from '#contract/deployments.ts';
import { ask } from '#tests/support/both-books.ts';
import { deploy, type Investor, makeInvestor } from '#tests/support/investor.ts';
import { freePort, type ProductHome, productHome, type RunningProduct } from '#tests/support/product.ts';
import { sandboxClock } from '#tests/support/sandbox-clock.ts';
import { walkInSteps } from '#tests/support/steps.ts';
import { registerConsumer } from './consumer-keys.ts';
import { marketWorld } from './market-world.ts';
import { SecondBroker } from './second-broker.ts';
import { signInAtSecondBroker } from './sign-in.ts';

const ACCOUNT = 'DU7001';
const PERSON = { user: 'ada', password: 'lovelace' };
const STRATEGIES = ['Northbound Momentum', 'Ballast', 'Coin Leaders'];

describe('the product at a broker of somebody else', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'second-broker-'));
  const { consumer, variables } = registerConsumer(folder);
  let home: ProductHome;
  let product: RunningProduct;
  let broker: SecondBroker;
  let investor: Investor;
  let settings: Record<string, string>;
  const deployments = new Map<string, string>();
  const beganAt = Date.now();

  beforeAll(async () => {
    const sandboxPort = await freePort();
    broker = new SecondBroker({
      world: marketWorld(`http://127.0.0.1:${sandboxPort}`),
      consumer,
      seed: 11,
      habits: JSON.parse(process.env.HABITS ?? '{}'),
      people: { [PERSON.user]: PERSON.password },
    });
    const address = await broker.listen();
    broker.books.open(PERSON.user, ACCOUNT, 1_000_000, {});
    broker.books.open(PERSON.user, 'DU7002', 2_000);
    home = await productHome();
    settings = {
      ...variables,
      BROKER: 'interactive-brokers',
      BROKER_CLOCK: 'market',
      BROKER_BASE_URL: `${address}/v1/api`,
      BROKER_AUTHORIZE_URL: `${address}/sso/authorize`,
      BROKER_REQUESTS_PER_SECOND: '50',
      BROKER_LIST_SPACING_MS: '100',
      SANDBOX_PORT: String(sandboxPort),
      // In effect the test alone moves the clock.
      SANDBOX_DAY_SECONDS: '86400',
    };
  });
  afterAll(async () => {
    await home?.remove();
    await broker?.close();
    rmSync(folder, { recursive: true, force: true });
  }, 60_000);

  const step = walkInSteps({ timeout: 120_000 });

  step('npm start comes up with another broker, with a catalogue and without a demo account', async () => {
    product = await home.start(settings);
    console.log(`started in ${Date.now() - beganAt} ms`);
    await sandboxClock(home.dataDir).pause();
    expect(product.output()).toContain('Trading through interactive-brokers at http://127.0.0.1:');
    expect(product.output()).not.toContain('Demo sign-in');
    expect(await rows('select email from users')).toEqual([]);
    expect(await rows('select count(*)::int as n from strategies')).toEqual([
      { n: expect.toSatisfy((n) => n > 10) },
    ]);
  });

  step('a client signs in at the broker’s own pages and deploys', async () => {
    investor = await makeInvestor(home.baseUrl, 'ada@second.example', (url) =>
      signInAtSecondBroker(url, PERSON),
    );
    await investor.call(
      'POST',
      '/api/billing/plan/',
      { plan: 'pro', interval: 'monthly' },
      { 'idempotency-key': 'plan' },
    );
    await goTo('2026-01-06T15:00:00Z');
    for (const name of STRATEGIES) deployments.set(name, await deploy(investor, name, { amount: 20_000 }));
    await settled();
  });

  step('days', async () => {
    for (const at of [
      '2026-01-06T18:00:00Z',
      '2026-01-06T21:05:00Z',
      '2026-01-07T14:35:00Z',
      '2026-01-07T16:00:00Z',
    ]) {
      await goTo(at);
      await settled();
      report(at);
    }
    broker.endSessions();
    await goTo('2026-01-07T18:00:00Z');
    await settled();
    report('after session end');
    product.killRole('trader');
    await goTo('2026-01-08T15:00:00Z');
    await settled();
    report('after kill');
    for (const [, id] of deployments) await investor.call('POST', `/api/deployments/${id}/stop/`);
    for (const at of [
      '2026-01-08T16:00:00Z',
      '2026-01-08T18:00:00Z',
      '2026-01-09T14:35:00Z',
      '2026-01-09T16:00:00Z',
    ]) {
      await goTo(at);
      await settled();
      report(at);
    }
    const shown = await investor.call<Deployment[]>('GET', '/api/deployments/');
    console.log(
      shown.map(({ strategy_name, status, positions }) => [strategy_name, status, positions.length]),
    );
    console.log(
      await rows(
        'select purpose, status, count(*)::int as n, min(status_reason) as why from orders group by 1, 2',
      ),
    );
    console.log([...broker.requests]);
    console.log(broker.orders.replies.length, broker.books.findings, `in ${Date.now() - beganAt} ms`);
    const { code, output } = await home.run('verify', [], settings);
    console.log(code, output);
  });

  function report(what: string): void {
    const { orders, executions } = broker.books;
    const states = Object.entries(Object.groupBy(orders, ({ state }) => state)).map(
      ([state, list]) => `${state} ${list?.length}`,
    );
    console.log(what, states, executions.length, broker.books.findings.length, `${Date.now() - beganAt} ms`);
  }

  function rows(query: string): Promise<Record<string, unknown>[]> {
    return ask(home.databaseUrl(), query);
  }

  async function goTo(at: string): Promise<void> {
    await sandboxClock(home.dataDir).advanceTo(at);
    await broker.catchUp();
  }

  /** Until the trader has worked three times at the market's time. */
  async function settled(): Promise<void> {
    const now = Date.parse(await sandboxClock(home.dataDir).now());
    const beats = new Set<number>();
    for (let looks = 0; beats.size < 3; looks++) {
      if (looks > 600) throw new Error('the trader does not follow the clock');
      const [beat] = await rows(`select beat_at, market_at from heartbeats where process = 'trader'`);
      const { beat_at, market_at } = (beat ?? {}) as { beat_at?: Date; market_at?: Date };
      if (beat_at && market_at && market_at.getTime() >= now) beats.add(beat_at.getTime());
      await sleep(50);
    }
  }
});
