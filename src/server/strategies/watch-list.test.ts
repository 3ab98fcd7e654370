import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { testApp } from '#tests/support/test-app.ts';
import { signedInPerson } from '#tests/support/test-person.ts';
import { publishedStrategy } from '#tests/support/test-strategy.ts';

const app = await testApp();
const [calm, wild] = [await publishedStrategy(app, { name: 'Calm' }), await publishedStrategy(app)];

const ask = async (method: 'GET' | 'POST' | 'DELETE', token: string, id?: string) => {
  const { status, body } = await app.request({
    method,
    url: id === undefined ? '/api/watch-list/' : `/api/watch-list/${id}/`,
    token,
  });
  return { status, strategies: body.strategies };
};

test('a strategy is watched once, newest first, until it is not any more', async () => {
  const { token } = await signedInPerson(app);
  expect(await ask('GET', token)).toEqual({ status: 200, strategies: [] });
  await ask('POST', token, calm);
  expect((await ask('POST', token, wild)).strategies).toEqual([wild, calm]);
  expect((await ask('POST', token, calm)).strategies).toEqual([wild, calm]);
  expect((await ask('DELETE', token, wild)).strategies).toEqual([calm]);
  expect((await ask('DELETE', token, wild)).status).toBe(404);
  expect((await ask('DELETE', token, 'no-id')).status).toBe(404);
});

test('each person has a list of their own', async () => {
  const [mine, theirs] = [await signedInPerson(app), await signedInPerson(app)];
  await ask('POST', mine.token, calm);
  expect((await ask('GET', theirs.token)).strategies).toEqual([]);
  expect((await ask('DELETE', theirs.token, calm)).status).toBe(404);
  expect((await ask('GET', mine.token)).strategies).toEqual([calm]);
});

test('what is not in the marketplace cannot be watched, and leaves the list with the marketplace', async () => {
  const { token } = await signedInPerson(app);
  expect((await ask('POST', token, randomUUID())).status).toBe(404);
  expect((await ask('POST', token, 'no-id')).status).toBe(404);
  const retired = await publishedStrategy(app);
  await ask('POST', token, retired);
  await app.records.pool.query(`update strategies set status = 'retired' where id = $1`, [retired]);
  expect((await ask('GET', token)).strategies).toEqual([]);
  expect((await ask('POST', token, retired)).status).toBe(404);
});
