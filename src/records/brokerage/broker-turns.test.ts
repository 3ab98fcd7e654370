import { expect, test } from 'vitest';
import { testDatabase } from '../../../tests/support/test-database.ts';
import { brokerTurns } from './broker-turns.ts';

const { database } = await testDatabase();
const take = (user: string, path = '/orders', ms = 60_000) => brokerTurns(database, user).take(path, ms);

test('of all that ask at once one has the turn, and the others read how long it is taken', async () => {
  const asked = await Promise.all(Array.from({ length: 20 }, () => take('race')));
  expect(asked.filter((left) => left === 0)).toHaveLength(1);
  for (const left of asked.filter((one) => one !== 0)) {
    expect(left).toBeGreaterThan(30_000);
    expect(left).toBeLessThanOrEqual(60_000);
  }
});

test('a turn is of one user and one path', async () => {
  expect(await take('ada')).toBe(0);
  expect(await take('bea')).toBe(0);
  expect(await take('ada', '/trades')).toBe(0);
  expect(await take('ada')).toBeGreaterThan(0);
});

test('it is free again when its time is over after it was left, or without that when its process died', async () => {
  await take('left');
  await brokerTurns(database, 'left').leave('/orders', 0);
  expect(await take('left')).toBe(0);
  await take('died', '/orders', 0);
  expect(await take('died')).toBe(0);
});
