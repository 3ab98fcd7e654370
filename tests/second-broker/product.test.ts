// The whole product against a broker that it did not bring along: started by the documented settings alone, a client signs in
// through the broker's own pages, deploys and trades for days, while sessions end, keys expire and the trader is killed.
// What is true is what the broker's own books say.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { ask } from '#tests/support/both-books.ts';
import { deploy, type Investor, makeInvestor } from '#tests/support/investor.ts';
import { freePort, type ProductHome, productHome, type RunningProduct } from '#tests/support/product.ts';
import { sandboxClock } from '#tests/support/sandbox-clock.ts';
import { walkInSteps } from '#tests/support/steps.ts';
import { holdingDifferences } from './compare-books.ts';
import { registerConsumer } from './consumer-keys.ts';
import { marketWorld } from './market-world.ts';
import { SecondBroker } from './second-broker.ts';
import { signInAtSecondBroker } from './sign-in.ts';
import { FIRST_DAY, SHARES, writeTape } from './tape.ts';

const ACCOUNT = 'DU7001';
const PERSON = { user: 'ada', password: 'lovelace' };

describe('the product at a second broker', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'second-broker-'));
  const { consumer, variables } = registerConsumer(folder);
  let home: ProductHome;
  let product: RunningProduct;
  let broker: SecondBroker;
  let investor: Investor;
  let settings: Record<string, string>;
  const deployments = new Map<string, string>();

  beforeAll(async () => {
    const sandboxPort = await freePort();
    broker = new SecondBroker({
      world: marketWorld(`http://127.0.0.1:${sandboxPort}`),
      consumer,
      seed: 11,
      habits: { rowsByHand: false, htmlErrors: 0, lostAnswers: 0 },
      people: { [PERSON.user]: PERSON.password },
    });
    const address = await broker.listen();
    broker.books.open(PERSON.user, ACCOUNT, 1_000_000);
    home = await productHome();
    const tape = path.join(folder, 'bars');
    writeTape(tape);
    settings = {
      ...variables,
      MARKET: 'replay',
      REPLAY_FROM: FIRST_DAY,
      SANDBOX_PORT: String(sandboxPort),
      // In effect the test alone moves the clock.
      SANDBOX_DAY_SECONDS: '86400',
      BROKER: 'interactive-brokers',
      BROKER_CLOCK: 'market',
      BROKER_BASE_URL: `${address}/v1/api`,
      BROKER_AUTHORIZE_URL: `${address}/sso/authorize`,
      BROKER_REQUESTS_PER_SECOND: '50',
      BROKER_LIST_SPACING_MS: '100',
    };
    const imported = await home.run('bars', ['import', tape, '--kind', 'equity']);
    expect(imported.code, imported.output).toBe(0);
  }, 120_000);
  afterAll(async () => {
    await home?.remove();
    await broker?.close();
    rmSync(folder, { recursive: true, force: true });
  }, 60_000);

  const step = walkInSteps({ timeout: 120_000 });

  step('npm start comes up with another broker, with a catalogue and without a demo account', async () => {
    product = await home.start(settings);
    await sandboxClock(home.dataDir).pause();
    expect(product.output()).toContain('Trading through interactive-brokers at http://127.0.0.1:');
    expect(product.output()).not.toContain('Demo sign-in');
    expect(await rows('select email from users')).toEqual([]);
    const listed = await rows('select name from strategies order by name');
    const rules = SHARES.map((share) => `${share} above its average`);
    expect(listed.map(({ name }) => name)).toEqual(expect.arrayContaining(rules));
  });

  step('a client signs in at the broker’s own pages and deploys', async () => {
    investor = await makeInvestor(home.baseUrl, 'ada@second.example', (url) =>
      signInAtSecondBroker(url, PERSON),
    );
    const plan = { plan: 'pro', interval: 'monthly' };
    await investor.call('POST', '/api/billing/plan/', plan, { 'idempotency-key': 'plan' });
    await goTo(`${FIRST_DAY}T15:00:00Z`);
    for (const share of SHARES)
      deployments.set(
        share,
        await deploy(investor, `${share} above its average`, { amount: 20_000, stopLoss: 10 }),
      );
    await settled();
  });

  step('what it bought is held at the broker, each order once', async () => {
    await goTo(`${FIRST_DAY}T17:50:00Z`);
    await settled();
    const compared = { books: broker.books, account: ACCOUNT, databaseUrl: worldUrl() };
    await expect.poll(() => holdingDifferences(compared)).toEqual([]);
    expect(broker.books.executions.length).toBeGreaterThan(0);
    expect(broker.books.findings).toEqual([]);
  });

  const worldUrl = () =>
    home.databaseUrl().replace(/bellwether$/, `bellwether_replay_${FIRST_DAY.replaceAll('-', '')}`);

  function rows(query: string): Promise<Record<string, unknown>[]> {
    return ask(worldUrl(), query);
  }

  async function goTo(at: string): Promise<void> {
    await sandboxClock(home.dataDir).advanceTo(at);
    await broker.catchUp();
  }

  /** Until the trader has worked twice at the market's time. */
  async function settled(): Promise<void> {
    const now = Date.parse(await sandboxClock(home.dataDir).now());
    const beats = new Set<number>();
    for (let looks = 0; beats.size < 2; looks++) {
      if (looks > 600) throw new Error('the trader does not follow the clock');
      const [beat] = await rows(`select beat_at, market_at from heartbeats where process = 'trader'`);
      const { beat_at, market_at } = (beat ?? {}) as { beat_at?: Date; market_at?: Date };
      if (beat_at && market_at && market_at.getTime() >= now) beats.add(beat_at.getTime());
      await sleep(25);
    }
  }
});
