import { expect, test } from 'vitest';
import { testDatabase } from '#tests/support/test-database.ts';
import { sharedRequestWindow } from './shared-request-window.ts';

const { database } = await testDatabase();
const LONG_MS = 60_000;

test('processes that send at once take no more places together than the vendor allows', async () => {
  const processes = Array.from({ length: 4 }, () =>
    sharedRequestWindow(database, { user: 'alpaca one', places: 10, countsMs: LONG_MS }),
  );
  const answers: number[] = [];
  for (let round = 0; round < 5; round++)
    answers.push(...(await Promise.all(processes.map((one) => one.take()))));
  expect(answers.filter((left) => left === 0)).toHaveLength(10);
  for (const left of answers.filter((one) => one > 0)) expect(left).toBeLessThanOrEqual(LONG_MS);
});

test('a place is free again when its request no longer counts, though whoever took it is gone', async () => {
  const terms = { user: 'alpaca two', places: 1, countsMs: 300 };
  expect(await sharedRequestWindow(database, terms).take()).toBe(0);
  const successor = sharedRequestWindow(database, terms);
  const left = await successor.take();
  expect(left).toBeGreaterThan(0);
  await new Promise((done) => setTimeout(done, left + 20));
  expect(await successor.take()).toBe(0);
});

test('after the vendor has had enough nobody sends for a while, and other users go on', async () => {
  const terms = { places: 3, countsMs: 100 };
  const warned = sharedRequestWindow(database, { user: 'alpaca three', ...terms });
  await warned.close(LONG_MS);
  const another = sharedRequestWindow(database, { user: 'alpaca three', ...terms });
  expect(await another.take()).toBeGreaterThan(LONG_MS / 2);
  expect(await sharedRequestWindow(database, { user: 'alpaca four', ...terms }).take()).toBe(0);
});
