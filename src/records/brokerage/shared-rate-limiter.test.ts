import { expect, test } from 'vitest';
import { testDatabase } from '../../../tests/support/test-database.ts';
import { sharedRateLimiter } from './shared-rate-limiter.ts';

const { database } = await testDatabase();
const acquire = (user: string, path = '/orders', ms = 60_000) =>
  sharedRateLimiter(database, user).acquire(path, ms);

test('of all that ask at once one acquires the slot, and the others read how long it is taken', async () => {
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

test('a slot is free again after its release, and after its time when its process died', async () => {
  await acquire('left');
  await sharedRateLimiter(database, 'left').release('/orders', 0);
  expect(await acquire('left')).toBe(0);
  await acquire('died', '/orders', 0);
  expect(await acquire('died')).toBe(0);
});
