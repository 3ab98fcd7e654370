import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import type { Deployment } from '#contract/deployments.ts';
import { ask, brokerageBooks, type Executions, ourBooks } from '#tests/support/both-books.ts';
import { deploy, makeInvestor, signInAgain } from '#tests/support/investor.ts';
import {
  freePort,
  type ProductHome,
  productHome,
  READY_WITHIN_MS,
  type RunningProduct,
} from '#tests/support/product.ts';
import { checkBridges } from '#tests/support/check-bridges.ts';
import { compareDecisions } from '#tests/support/compare-decisions.ts';
import { compareRehearsals } from '#tests/support/compare-rehearsals.ts';
import { sandboxClock } from '#tests/support/sandbox-clock.ts';
import { walkInSteps } from '#tests/support/steps.ts';
import { DEMO_EMAIL, DEMO_PASSWORD } from '../../src/processes/demo-world/demo-account/demo-user.ts';

// kill -9 of the whole process tree at random moments: the next start continues, nothing doubled, nothing lost.
describe('restarts', () => {
  const FAST = { SANDBOX_DAY_SECONDS: '2' };
  const EMAIL = 'ivo@journey.example';
  const STRATEGIES = ['Coin Snapback', 'Coin Leaders', 'Pendulum FX'];

  let home: ProductHome;
  let product: RunningProduct;
  let deployments: string[] = [];
  let booked: Executions = new Map();

  beforeAll(async () => {
    home = await productHome();
  });
  afterAll(() => home?.remove(), 60_000);

  const step = walkInSteps({ timeout: 2 * READY_WITHIN_MS });

  step('a third start completes the history of a first start that was killed twice', async () => {
    const first = home.launch(FAST);
    await first.says(/Testing \d+ strategies/);
    await sleep(moment('the strategies are tested', 6_000));
    await first.killTree();
    const second = home.launch(FAST);
    await second.says(/Trading six weeks/);
    await sleep(moment('history is made', 8_000));
    await second.killTree();
    product = await home.start(FAST);
    await nothingDoubledNothingLost();
  });

  step('a person deploys three strategies', async () => {
    const investor = await makeInvestor(home.baseUrl, EMAIL);
    for (const name of STRATEGIES) deployments.push(await deploy(investor, name, { amount: 20_000 }));
    await expect
      .poll(async () => (await ourFills()).length, { timeout: 60_000, interval: 100 })
      .toBeGreaterThan(0);
  });

  step('a kill while an order is in flight leaves one order and one booking', async () => {
    await untilOrderIn(['sending', 'working']);
    await product.killTree();
    product = await home.start(FAST);
    await nothingDoubledNothingLost();
  });

  step('so does a kill just after the market moved', async () => {
    const clock = sandboxClock(home.dataDir);
    const now = Date.parse(await clock.now());
    await clock.advanceTo(new Date(now + 86_400_000).toISOString());
    await sleep(moment('a day was jumped over', 1_500));
    await product.killTree();
    product = await home.start(FAST);
    await nothingDoubledNothingLost();
  });

  step('a second start over the same folder is refused with a sentence', async () => {
    const { code, output } = await home.launch({ ...FAST, PORT: String(await freePort()) }).ended;
    expect(output).toContain(`already runs from ${home.dataDir}`);
    expect(output).toContain('DATA_DIR=');
    expect(code).toBe(1);
  });

  step('a taken port is refused with the way out', async () => {
    const { code, output } = await home.launch({ ...FAST, DATA_DIR: `${home.dataDir}-other` }).ended;
    expect(output).toContain(
      `port ${home.port} is taken by another program. Choose another: PORT=${home.port + 1} npm start`,
    );
    expect(code).toBe(1);
  });

  step('Ctrl-C stops it cleanly, and the next start still has everything', async () => {
    const { code } = await product.stop();
    expect(code).toBe(0);
    product = await home.start(FAST);
    await nothingDoubledNothingLost();
    const person = await signInAgain(home.baseUrl, EMAIL);
    const shown = await person.call<Deployment[]>('GET', '/api/deployments/');
    expect(shown.map(({ id }) => id).toSorted()).toEqual(deployments.toSorted());
    for (const { equity, cash_balance, positions, strategy_name } of shown) {
      const worth = positions.reduce((sum, one) => sum + Math.round(one.current_value * 1e6), 0);
      expect(Math.round(cash_balance * 1e6) + worth, strategy_name).toBe(Math.round(equity * 1e6));
    }
  });

  step('each strategy is rehearsed in a browser as by the server’s engine, bit for bit', async () => {
    const clock = sandboxClock(home.dataDir);
    await clock.pause();
    try {
      expect(await compareRehearsals(home.baseUrl)).toBeGreaterThanOrEqual(18);
    } finally {
      await clock.resume();
    }
  });

  step(
    'the way from the published return to the own one sums to the cent for each deployment of the demo account',
    async () => {
      const clock = sandboxClock(home.dataDir);
      await clock.pause();
      try {
        const demo = { email: DEMO_EMAIL, password: DEMO_PASSWORD };
        await untilRecordsReach(DEMO_EMAIL);
        expect(await checkBridges(home.baseUrl, demo)).toBeGreaterThanOrEqual(3);
      } finally {
        await clock.resume();
      }
    },
  );

  step('the last decision of each strategy is made again in a browser, equal', async () => {
    const clock = sandboxClock(home.dataDir);
    await clock.pause();
    try {
      expect(await compareDecisions(home.baseUrl)).toBeGreaterThanOrEqual(18);
    } finally {
      await clock.resume();
    }
  });

  /** With the market paused: both books agree, earlier bookings are unchanged, and verify finds nothing. */
  async function nothingDoubledNothingLost(): Promise<void> {
    const clock = sandboxClock(home.dataDir);
    await clock.pause();
    try {
      await untilTraderSees(await clock.now());
      await untilNoneWaits(await clock.now());
      await expect
        .poll(
          async () => {
            const { executions } = brokerageBooks(home.dataDir);
            const ours = await ourBooks(home.databaseUrl());
            return { unbooked: difference(executions, ours), invented: difference(ours, executions) };
          },
          { timeout: 30_000 },
        )
        .toEqual({ unbooked: [], invented: [] });
      const { clientOrderIds } = brokerageBooks(home.dataDir);
      expect(new Set(clientOrderIds).size).toBe(clientOrderIds.length);
      const ours = await ourBooks(home.databaseUrl());
      expect(difference(booked, ours), 'booked before, and gone').toEqual([]);
      booked = ours;
      const people = await ask(
        home.databaseUrl(),
        `select id from deployments where id = any('{${deployments.join(',')}}')`,
      );
      expect(people).toHaveLength(deployments.length);
      const { code, output } = await home.run('verify');
      expect(code, output).toBe(0);
    } finally {
      await clock.resume();
    }
  }

  function difference(one: Executions, other: Executions): string[] {
    return [...one].filter(([id, line]) => other.get(id) !== line).map(([id, line]) => `${id} ${line}`);
  }

  /** On these short days a trader that has just started is days behind for a moment, and its values with it. */
  async function untilTraderSees(marketNow: string): Promise<void> {
    const query = `select 1 from heartbeats where process = 'trader' and market_at >= '${marketNow}'`;
    await expect
      .poll(async () => (await ask(home.databaseUrl(), query)).length, { timeout: 60_000, interval: 200 })
      .toBe(1);
  }

  /** Days pass while a loaded machine starts the product: what was decided before leaves, or is withdrawn, once its broker is read. */
  async function untilNoneWaits(marketNow: string): Promise<void> {
    const query = `select symbol, purpose, reason_code, reason_params, decided_at from orders
      where status = 'intended' and decided_at < '${marketNow}'::timestamptz - interval '4 days'`;
    await expect.poll(() => ask(home.databaseUrl(), query), { timeout: 60_000, interval: 200 }).toEqual([]);
  }

  /** Records are renewed in the background, later than these short days end. */
  async function untilRecordsReach(email: string): Promise<void> {
    const query = `select d.id from deployments d join users u on u.id = d.user_id where u.email = '${email}'
      and not exists (select from backtests b
        where b.strategy_version_id = d.strategy_version_id and b.last_date > d.deployed_at::date)`;
    await expect
      .poll(async () => (await ask(home.databaseUrl(), query)).length, {
        timeout: READY_WITHIN_MS,
        interval: 500,
      })
      .toBe(0);
  }

  function ourFills(): Promise<Record<string, unknown>[]> {
    const ids = `'{${deployments.join(',')}}'`;
    return ask(home.databaseUrl(), `select execution_id from fills where deployment_id = any(${ids})`);
  }

  async function untilOrderIn(statuses: readonly string[]): Promise<void> {
    const query = `select id from orders where status = any('{${statuses.join(',')}}')`;
    await expect
      .poll(async () => (await ask(home.databaseUrl(), query)).length, { timeout: 60_000, interval: 5 })
      .toBeGreaterThan(0);
  }

  /** A random moment; logged, so that a failure can be reproduced. */
  function moment(what: string, withinMs: number): number {
    const ms = Math.floor(Math.random() * withinMs);
    console.log(`killed ${ms} ms after ${what}`);
    return ms;
  }
});
