import { describe, expect, it, test } from 'vitest';
import { PUBLISHED_RATE_LIMITS } from '#adapters/broker/interactive-brokers/config.ts';
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
    const sharedLimiterOf = (userHash: string) => sharedRateLimiter(database, userHash);
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
  const { database } = await testDatabase();
  const acquire = (user: string, path = '/orders', ms = 60_000) =>
    sharedRateLimiter(database, user).acquire(path, ms);

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
    await sharedRateLimiter(database, 'left').release('/orders', 0);
    expect(await acquire('left')).toBe(0);
    await acquire('died', '/orders', 0);
    expect(await acquire('died')).toBe(0);
  });
});
