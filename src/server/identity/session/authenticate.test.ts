// Sessions of several people are checked by one statement: nobody may pass by somebody else's.
import { afterEach, expect, test, vi } from 'vitest';
import { testApp } from '#tests/support/test-app.ts';
import { signedInPerson, type TestPerson } from '#tests/support/test-person.ts';
import type { UserId } from '#units/identifiers.ts';
import { instant } from '#units/instant.ts';
import { issueAccessToken } from './access-token.ts';

const app = await testApp();
const { request, records, served, world, dependencies } = app;
const people = await Promise.all(Array.from({ length: 6 }, () => signedInPerson(app)));

/** Every check is due again. */
const pass = () => {
  world.now = instant(world.now + 500);
};
const ask = (token: string) => request({ url: '/api/auth/me/', token });
const askAll = (tokens: readonly string[]) => Promise.all(tokens.map(ask));
const sessionOf = async ({ id }: TestPerson): Promise<string> => {
  const { rows } = await records.pool.query<{ id: string }>('select id from sessions where user_id = $1', [
    id,
  ]);
  return rows[0]!.id;
};
const tokenOf = (userId: string, sessionId: string) =>
  issueAccessToken(
    { userId: userId as UserId, sessionId },
    dependencies.keys.newest('access_token'),
    world.now,
  );
const checks = () => {
  const query = vi.spyOn(served.pool, 'query');
  return () =>
    query.mock.calls.filter(
      ([text]) => String(text).includes('from sessions') || String(text).includes('join sessions'),
    ).length;
};
afterEach(() => vi.restoreAllMocks());

test('each of many calls at once is its own person’s, and one statement checks them', async () => {
  await askAll(people.map(({ token }) => token));
  pass();
  const checked = checks();
  const answers = await askAll(people.map(({ token }) => token));
  expect(answers.map(({ body }) => body.email)).toEqual(people.map(({ email }) => email));
  expect(checked()).toBe(1);
});

test('among those that are checked together, an ended session and one of somebody else are refused', async () => {
  const [ada, ben, eve, dan] = people as [TestPerson, TestPerson, TestPerson, TestPerson];
  const stolen = await tokenOf(eve.id, await sessionOf(ada));
  const invented = await tokenOf(eve.id, 'no-session');
  await records.pool.query('update sessions set ended_at = now() where user_id = $1', [ben.id]);
  await records.pool.query('update users set disabled_at = now() where id = $1', [dan.id]);
  pass();
  const answers = await askAll([ada.token, ben.token, stolen, eve.token, dan.token, invented]);
  expect(answers.map(({ status }) => status)).toEqual([200, 401, 401, 200, 401, 401]);
  expect([answers[0]?.body.email, answers[3]?.body.email]).toEqual([ada.email, eve.email]);
});

test('a check that fails lets nobody pass, and the next one counts again', async () => {
  const [ada, , eve] = people as [TestPerson, TestPerson, TestPerson];
  pass();
  vi.spyOn(served.pool, 'query').mockRejectedValueOnce(
    new Error('Connection terminated unexpectedly') as never,
  );
  const answers = await askAll([ada.token, eve.token]);
  expect(answers.map(({ status }) => status)).toEqual([503, 503]);
  expect((await askAll([ada.token, eve.token])).map(({ status }) => status)).toEqual([200, 200]);
});

test('a session that ends counts no longer than until its next check', async () => {
  const [ada] = people as [TestPerson];
  expect((await ask(ada.token)).status).toBe(200);
  await records.pool.query('update sessions set ended_at = now() where user_id = $1', [ada.id]);
  pass();
  expect((await ask(ada.token)).status).toBe(401);
});
