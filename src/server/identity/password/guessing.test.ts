import { expect, test } from 'vitest';
import { createApp } from '#server/app.ts';
import { newResetToken } from '#records/identity/reset-token.ts';
import { testApp } from '#tests/support/test-app.ts';
import { PASSWORD, signedInPerson } from '#tests/support/test-person.ts';
import { DAY_MS, instant, MINUTE_MS } from '#units/instant.ts';

const app = await testApp();
const { world } = app;
// Another API on the same database.
const second = await createApp(app.dependencies);
await second.ready();

const pass = (ms: number) => {
  world.now = instant(world.now + ms);
};

type From = { readonly address?: string; readonly cookie?: string; readonly at?: typeof second };
const signIn = (email: string, password: string, { address = '10.0.0.1', cookie, at = app.app }: From = {}) =>
  at.inject({
    method: 'POST',
    url: '/api/auth/login/',
    payload: { email, password },
    remoteAddress: address,
    ...(cookie !== undefined && { headers: { cookie } }),
  });
const cookieOf = (answer: { headers: Record<string, unknown> }) =>
  String(answer.headers['set-cookie']).split(';', 1)[0]!;
const statuses = (answers: readonly { statusCode: number }[], status: number) =>
  answers.filter(({ statusCode }) => statusCode === status).length;

async function knownDevice(email: string): Promise<string> {
  const answer = await signIn(email, PASSWORD);
  expect(answer.statusCode).toBe(200);
  return cookieOf(answer);
}

test('of 300 guesses at once from 300 addresses, at two APIs, only five are checked', async () => {
  const { email } = await signedInPerson(app);
  const answers = await Promise.all(
    Array.from({ length: 300 }, (_, i) =>
      signIn(email, `guess ${i}`, {
        address: `10.${i % 2}.1.${i % 250}`,
        at: i % 2 === 0 ? app.app : second,
      }),
    ),
  );
  expect([statuses(answers, 401), statuses(answers, 429)]).toEqual([5, 295]);
});

test('a stranger who guesses does not lock out a device that signed in before, at any API', async () => {
  const { email } = await signedInPerson(app);
  const cookie = await knownDevice(email);
  for (let i = 0; i < 5; i++) expect((await signIn(email, 'not it at all')).statusCode).toBe(401);
  const stranger = await signIn(email, PASSWORD);
  expect(stranger.statusCode).toBe(429);
  expect(Number(stranger.headers['retry-after'])).toBeGreaterThan(0);
  for (const at of [app.app, second])
    expect((await signIn(email, PASSWORD, { address: '10.9.9.9', cookie, at })).statusCode).toBe(200);
});

test('a known device guesses no more often than a stranger, and a device of another account is a stranger', async () => {
  const [ada, eve] = [await signedInPerson(app), await signedInPerson(app)];
  const cookie = await knownDevice(ada.email);
  for (let i = 0; i < 5; i++)
    expect((await signIn(ada.email, 'not it at all', { cookie })).statusCode).toBe(401);
  expect((await signIn(ada.email, PASSWORD, { cookie })).statusCode).toBe(429);
  for (let i = 0; i < 5; i++)
    expect((await signIn(eve.email, 'not it at all', { cookie })).statusCode).toBe(401);
  expect((await signIn(eve.email, PASSWORD, { cookie })).statusCode).toBe(429);
});

test('a forged or expired mark is that of a stranger', async () => {
  const { email } = await signedInPerson(app);
  const cookie = await knownDevice(email);
  for (let i = 0; i < 5; i++) await signIn(email, 'not it at all');
  const forged = cookie.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'));
  const moved = cookie.replace(/\.(\d+)\./, (_, expiry: string) => `.${Number(expiry) + 1}.`);
  for (const wrong of [forged, moved, 'device=', `device=${'~'.repeat(5_000)}`])
    expect((await signIn(email, PASSWORD, { cookie: wrong })).statusCode).toBe(429);
  pass(200 * DAY_MS);
  for (let i = 0; i < 5; i++) await signIn(email, 'not it at all');
  expect((await signIn(email, PASSWORD, { cookie })).statusCode).toBe(429);
});

test('one browser keeps the marks of several people', async () => {
  const people = [await signedInPerson(app), await signedInPerson(app)];
  let cookie = '';
  for (const { email } of people) cookie = cookieOf(await signIn(email, PASSWORD, { cookie }));
  for (const { email } of people) {
    for (let i = 0; i < 5; i++) await signIn(email, 'not it at all');
    expect((await signIn(email, PASSWORD, { cookie })).statusCode).toBe(200);
  }
});

test('right passwords at once are all let in', async () => {
  const { email } = await signedInPerson(app);
  const answers = await Promise.all(Array.from({ length: 12 }, () => signIn(email, PASSWORD)));
  expect(statuses(answers, 200)).toBe(12);
});

test('over a day, strangers get a hundred guesses and not five a minute', async () => {
  const { email } = await signedInPerson(app);
  let checked = 0;
  for (let minute = 0; minute < 25; minute++) {
    for (let i = 0; i < 5; i++) {
      if ((await signIn(email, 'not it at all')).statusCode === 401) checked += 1;
      else break;
    }
    pass(MINUTE_MS);
  }
  // A hundred at once, and one more each 14.4 minutes.
  expect(checked).toBe(101);
}, 120_000);

test('a reset by mail clears the guesses and makes the browser known', async () => {
  const { email, id } = await signedInPerson(app);
  for (let i = 0; i < 5; i++) await signIn(email, 'not it at all');
  const { token, hash } = newResetToken();
  await app.records.pool.query(
    `insert into password_resets (token_hash, user_id, created_at, expires_at) values ($1, $2, $3, $4)`,
    [hash, id, new Date(world.now), new Date(world.now + MINUTE_MS)],
  );
  const chosen = { new_password: 'a brand new one', confirm_new_password: 'a brand new one' };
  const reset = await app.request({
    method: 'POST',
    url: '/api/auth/password/reset/confirm/',
    body: { token, ...chosen },
  });
  expect(reset.status).toBe(204);
  expect((await signIn(email, 'a brand new one')).statusCode).toBe(200);
  for (let i = 0; i < 5; i++) await signIn(email, 'not it at all');
  expect((await signIn(email, 'a brand new one')).statusCode).toBe(429);
  expect((await signIn(email, 'a brand new one', { cookie: cookieOf(reset) })).statusCode).toBe(200);
});

test('the table keeps only guesses that still count', async () => {
  for (let i = 0; i < 30; i++) await signIn(`nobody-${i}@example.test`, 'not it at all');
  pass(2 * DAY_MS);
  for (let i = 0; i < 30; i++)
    await signIn('nobody@example.test', 'not it at all').then(() => pass(MINUTE_MS));
  const { rows } = await app.records.pool.query('select count(*)::int from guess_limits');
  expect(rows).toEqual([{ count: 1 }]);
});
