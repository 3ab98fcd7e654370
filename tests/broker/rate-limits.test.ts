import { describe, expect, it, test } from 'vitest';
import { PUBLISHED_RATE_LIMITS } from '#adapters/broker/interactive-brokers/config.ts';
import { createRateLimiter, type RateLimiter } from '#adapters/broker/rate-limiter.ts';
import type { Exchange } from '#adapters/broker/exchange.ts';
import { openDatabase } from '#records/postgres/database.ts';
import { sharedRateLimiter } from '#records/brokerage/shared-rate-limiter.ts';
import { testDatabase } from '#tests/support/test-database.ts';
import { fixedPrices, SATURDAY } from './fixed-prices.ts';
import { openInProcessHarness } from './in-process-harness.ts';

// The published limits on both sides: the sandbox blocks a user who exceeds them, and the adapter never exceeds them.
describe('a user at Interactive Brokers', () => {
  it('is never sent to the penalty box, however many requests come at once', async () => {
    const config = { rateLimits: PUBLISHED_RATE_LIMITS };
    const harness = await openInProcessHarness({
      prices: fixedPrices(),
      now: () => SATURDAY,
      realNow: Date.now,
      config,
    });
    harness.script({ limits: true });
    const ada = await harness.person('ada');
    const session = await ada.session();
    const asked = await Promise.all(Array.from({ length: 30 }, () => session.cash(ada.accountId)));
    expect(asked.map(({ outcome }) => outcome)).toEqual(asked.map(() => 'ok'));
    harness.close();
  }, 30_000);

  it('is not sent there when many requests follow a sign-in directly', async () => {
    const harness = await openInProcessHarness({
      prices: fixedPrices(),
      now: () => SATURDAY,
      realNow: Date.now,
      config: { rateLimits: PUBLISHED_RATE_LIMITS },
    });
    const ada = await harness.person('ada');
    harness.script({ limits: true });
    // Until no earlier request counts any more.
    await new Promise((done) => setTimeout(done, 1_200));
    const session = await ada.session();
    const asked = await Promise.all(Array.from({ length: 30 }, () => session.marketData!.search('SPY')));
    expect(asked.map(({ outcome }) => outcome)).toEqual(asked.map(() => 'ok'));
    harness.close();
  }, 30_000);

  it('is not sent there by two processes of the same user, or by a new one directly after them', async () => {
    const { database } = await testDatabase();
    const sharedLimiterOf = (userHash: string) => sharedRateLimiter(database, { server: 'one', userHash });
    const part = (requestsPerSecond: number) => ({
      rateLimits: { ...PUBLISHED_RATE_LIMITS, requestsPerSecond },
      sharedLimiterOf,
    });
    const harness = await openInProcessHarness({
      prices: fixedPrices(),
      now: () => SATURDAY,
      realNow: Date.now,
      config: part(7),
    });
    harness.script({ limits: true });
    const ada = await harness.person('ada');
    const api = await harness.anotherProcess(part(2)).openSession(ada.credentials);
    if (api.outcome === 'failed') throw new Error(api.reason);
    const trader = await ada.session();
    const asked = await Promise.all([
      api.value.cash(ada.accountId),
      trader.positions(ada.accountId),
      ...Array.from({ length: 20 }, () => trader.marketData!.search('SPY')),
      api.value.accounts(),
    ]);
    expect(asked.map(({ outcome }) => outcome)).toEqual(asked.map(() => 'ok'));
    harness.close();
  }, 60_000);

  it('is sent there without pacing', async () => {
    const harness = await openInProcessHarness({
      prices: fixedPrices(),
      now: () => SATURDAY,
      realNow: Date.now,
    });
    const ada = await harness.person('ada');
    harness.script({ limits: true });
    const session = await ada.session();
    const asked = await Promise.all(Array.from({ length: 30 }, () => session.cash(ada.accountId)));
    expect(asked.some((answer) => answer.outcome === 'failed' && answer.code === 'rate_limited')).toBe(true);
    harness.close();
  });
});

describe('a slot shared by processes', async () => {
  const { database, url } = await testDatabase();
  const limiterOf = (userHash: string, of = database) => sharedRateLimiter(of, { server: 'one', userHash });
  const acquire = (user: string, path = '/orders', ms = 60_000) =>
    limiterOf(user).acquire(path, { ms, spacingMs: 5_000 });

  test('one of several concurrent requests acquires the slot, and the others read how long it is taken', async () => {
    const asked = await Promise.all(Array.from({ length: 20 }, () => acquire('race')));
    expect(asked.filter((left) => left === 0)).toHaveLength(1);
    for (const left of asked.filter((one) => one !== 0)) {
      expect(left).toBeGreaterThan(30_000);
      expect(left).toBeLessThanOrEqual(60_000);
    }
  });

  test('a slot belongs to one user and one path', async () => {
    expect(await acquire('ada')).toBe(0);
    expect(await acquire('bea')).toBe(0);
    expect(await acquire('ada', '/trades')).toBe(0);
    expect(await acquire('ada')).toBeGreaterThan(0);
  });

  test('a slot is free again after its release, or after its expiry if its process died', async () => {
    await acquire('left');
    await limiterOf('left').release('/orders', 0);
    expect(await acquire('left')).toBe(0);
    await acquire('died', '/orders', 0);
    expect(await acquire('died')).toBe(0);
  });

  test('a slot of a process that is gone is taken over after the vendor’s own pause, not after its expiry', async () => {
    const dying = openDatabase(url);
    expect(await limiterOf('gone', dying.database).acquire('/orders', { ms: 60_000, spacingMs: 5_000 })).toBe(
      0,
    );
    expect(await acquire('gone')).toBeGreaterThan(30_000);
    await dying.close();
    // The server needs a moment to see that the process is gone.
    await expect.poll(() => acquire('gone')).toBeLessThanOrEqual(5_000);
    // It does not begin anew with each who asks.
    await new Promise((done) => setTimeout(done, 50));
    expect(await acquire('gone')).toBeLessThan(4_990);
  });

  test('a holder that lives keeps its slot, however often others ask', async () => {
    expect(await acquire('alive')).toBe(0);
    for (let i = 0; i < 3; i++) expect(await acquire('alive')).toBeGreaterThan(30_000);
  });
});

describe('the penalty box', async () => {
  const { database, pool } = await testDatabase();
  const limits = { requestsPerSecond: 100, spacingMs: { '/slow': 10 }, backOffMs: 60_000 };
  /** A process of its own, that knows only what the database knows. */
  const process = (userHash: string, server = 'one') =>
    createRateLimiter(limits, { until: 0 }, Date.now, sharedRateLimiter(database, { server, userHash }));
  const answered = (status: number): Exchange => ({ kind: 'answered', status, body: {}, text: '{}' });

  test('one process is told 429, and no process asks into it: of any user, on any path, nor after a restart', async () => {
    let asked = 0;
    const ask = async (limiter: RateLimiter, path: string, status = 200) =>
      limiter.run(path, 'cancel', async () => {
        asked += 1;
        return answered(status);
      });
    const [trader, api] = [process('ada'), process('bea')];
    expect(await ask(api, '/x')).toMatchObject({ kind: 'answered' });
    await ask(trader, '/x', 429);
    expect(asked).toBe(2);
    const penalised = { kind: 'not_sent', code: 'rate_limited' };
    for (const limiter of [trader, api, process('ada'), process('cleo')])
      for (const path of ['/x', '/slow']) expect(await ask(limiter, path)).toMatchObject(penalised);
    expect(asked).toBe(2);
    expect(await ask(process('ada', 'another'), '/x')).toMatchObject({ kind: 'answered' });
    await pool.query(`update broker_penalties set until = clock_timestamp()`);
    expect(await ask(process('ada'), '/x')).toMatchObject({ kind: 'answered' });
  });

  test('a shorter penalty does not shorten a longer one', async () => {
    const shared = sharedRateLimiter(database, { server: 'two', userHash: 'ada' });
    await shared.penalise(60_000);
    await shared.penalise(1_000);
    expect(await shared.penaltyMs()).toBeGreaterThan(30_000);
  });
});
