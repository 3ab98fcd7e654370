import { expect, test } from 'vitest';
import { USUAL_LIMITS } from '#server/http/dependencies.ts';
import { testApp } from '#tests/support/test-app.ts';
import { PASSWORD, signedInPerson } from '#tests/support/test-person.ts';
import { DAY_MS, instant, MINUTE_MS } from '#units/instant.ts';

const app = await testApp();

const { request, world } = app;
const pass = (ms: number) => {
  world.now = instant(world.now + ms);
};
const login = (email: string, password: string, more: object = {}) =>
  request({ method: 'POST', url: '/api/auth/login/', body: { email, password, ...more } });
const refresh = (token: string) =>
  request({ method: 'POST', url: '/api/auth/token/refresh/', body: { refresh: token } });
const me = (token: string) => request({ url: '/api/auth/me/', token });

test('a registered user can sign in at once, with the e-mail in any case, and read their own account', async () => {
  const body = {
    email: 'Grace@Example.test',
    username: 'Grace@Example.test',
    password: PASSWORD,
    confirm_password: PASSWORD,
    first_name: 'Grace',
  };
  expect(await request({ method: 'POST', url: '/api/auth/register/', body })).toMatchObject({
    status: 201,
    body: { email: 'grace@example.test', first_name: 'Grace' },
  });
  const answer = await login('grace@example.TEST', PASSWORD);
  expect(answer).toMatchObject({
    status: 200,
    body: { user: { email: 'grace@example.test', is_agreement_signed: false, risk_profile: null } },
  });
  expect((await me(answer.body.token)).body).toEqual(answer.body.user);
  expect(await request({ method: 'POST', url: '/api/auth/register/', body })).toMatchObject({
    status: 409,
    body: { code: 'email_taken', field: 'email' },
  });
});

test('only an argon2id hash of the password is stored', async () => {
  const { rows } = await app.records.pool.query(`select * from users where email = 'grace@example.test'`);
  expect(rows[0].password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(JSON.stringify(rows)).not.toContain(PASSWORD);
});

test.each([
  [{ email: '' }, 400, 'email', 'Email is required'],
  [{ email: 'nobody' }, 400, 'email', 'This is not an e-mail address'],
  // A zero-width space, a full-width letter, the Kelvin sign.
  [{ email: 'ada\u200b@example.test' }, 400, 'email', expect.stringMatching(/^Letters with accents/)],
  [{ email: 'a\uff44a@example.test' }, 400, 'email', expect.stringMatching(/^Letters with accents/)],
  [{ email: '\u212aada@example.test' }, 400, 'email', expect.stringMatching(/^Letters with accents/)],
  [{ password: undefined }, 400, 'password', 'Password is required'],
  [
    { password: 'short', confirm_password: 'short' },
    400,
    'password',
    expect.stringContaining('8 characters'),
  ],
  [{ first_name: ' ' }, 400, 'first_name', 'Name is required'],
  [{ confirm_password: 'another one' }, 422, 'confirm_password', expect.any(String)],
])('a registration with %j is refused with %i and names %s', async (wrong, status, field, message) => {
  const body = {
    email: 'a@b.test',
    password: PASSWORD,
    confirm_password: PASSWORD,
    first_name: 'A',
    ...wrong,
  };
  expect(await request({ method: 'POST', url: '/api/auth/register/', body })).toMatchObject({
    status,
    body: { field, message },
  });
});

test('a wrong password and an unknown e-mail get the same answer, and guessing is rate-limited', async () => {
  const { email } = await signedInPerson(app);
  const wrong = await login(email, 'not it at all');
  expect(wrong).toMatchObject({
    status: 401,
    body: { code: 'authentication_failed', message: 'Authentication failed. Please try again.' },
  });
  expect((await login('nobody@example.test', 'not it at all')).body).toEqual(wrong.body);
  for (let i = 0; i < 4; i++) await login(email, 'not it at all');
  const slowed = await login(email, PASSWORD);
  expect(slowed).toMatchObject({ status: 429, body: { code: 'too_many_requests' } });
  expect(Number(slowed.headers['retry-after'])).toBeGreaterThan(0);
  pass(MINUTE_MS);
  expect((await login(email, PASSWORD)).status).toBe(200);
});

test('a stolen token cannot be used to guess the current password', async () => {
  const { token } = await signedInPerson(app);
  const change = (old_password: string) =>
    request({
      method: 'POST',
      url: '/api/auth/password/change/',
      token,
      body: { old_password, new_password: 'another long one' },
    });
  for (let i = 0; i < 5; i++) expect((await change('not it at all')).status).toBe(422);
  const refused = await change(PASSWORD);
  expect(refused).toMatchObject({ status: 429, body: { code: 'too_many_requests' } });
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
});

test('one address may send twenty sign-ins, registrations and resets a minute', async () => {
  const usual = await testApp({ limits: USUAL_LIMITS });
  const ask = (remoteAddress: string) =>
    usual.app.inject({
      method: 'POST',
      url: '/api/auth/password/reset/',
      payload: { email: 'a@example.test' },
      remoteAddress,
    });
  for (let i = 0; i < 20; i++) expect((await ask('10.2.2.2')).statusCode).toBe(204);
  const refused = await ask('10.2.2.2');
  expect(refused.statusCode).toBe(429);
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  expect((await ask('10.2.2.3')).statusCode).toBe(204);
});

test.each([1, ['127.0.0.1/32']])(
  'behind a proxy (%j) the address that it adds counts, not what a client claims before it',
  async (trustProxy) => {
    const proxied = await testApp({ limits: USUAL_LIMITS, trustProxy });
    const ask = async (forwarded: string) => {
      const answer = await proxied.app.inject({
        method: 'POST',
        url: '/api/auth/password/reset/',
        payload: { email: 'a@example.test' },
        headers: { 'x-forwarded-for': forwarded },
      });
      return answer.statusCode;
    };
    for (let i = 0; i < 20; i++) expect(await ask(`10.7.7.${i}, 198.51.100.7`)).toBe(204);
    expect(await ask('10.7.7.21, 198.51.100.7')).toBe(429);
    expect(await ask('198.51.100.7, 198.51.100.8')).toBe(204);
  },
);

test('two open tabs may poll indefinitely', async () => {
  const usual = await testApp({ limits: { ...USUAL_LIMITS, signInsPerMinute: 1000 } });
  const { token } = await signedInPerson(usual);
  // Three requests a second for each tab, for a minute.
  for (let i = 0; i < 2 * 3 * 60; i++)
    expect((await usual.request({ url: '/api/notifications/', token })).status).toBe(200);
});

test('an access token lasts ten minutes and must be ours', async () => {
  const { token } = await signedInPerson(app);
  pass(9 * MINUTE_MS);
  expect((await me(token)).status).toBe(200);
  pass(2 * MINUTE_MS);
  expect(await me(token)).toMatchObject({ status: 401, body: { code: 'unauthenticated' } });
  const forged = `${token.split('.').slice(0, 2).join('.')}.${'A'.repeat(43)}`;
  expect((await me(forged)).status).toBe(401);
  const none = Buffer.from('{"alg":"none"}').toString('base64url');
  expect((await me(`${none}.${token.split('.')[1]}.`)).status).toBe(401);
});

test('a refresh rotates the token; reuse gets the same answer for ten seconds, then ends the token family', async () => {
  const { refresh: first } = await signedInPerson(app);
  const answer = await refresh(first);
  expect(answer.status).toBe(200);
  expect(answer.body.refresh).not.toBe(first);
  pass(9_000);
  expect((await refresh(first)).body).toEqual(answer.body);
  pass(2_000);
  expect(await refresh(first)).toMatchObject({ status: 401, body: { code: 'session_ended' } });
  expect((await refresh(answer.body.refresh)).status).toBe(401);
  expect((await me(answer.body.access)).status).toBe(401);
});

test('two concurrent refreshes get the same successor', async () => {
  const { refresh: first } = await signedInPerson(app);
  const [left, right] = await Promise.all([refresh(first), refresh(first)]);
  expect(left.status).toBe(200);
  expect(right.body).toEqual(left.body);
});

test('a session ends after seven unused days, or thirty with "remember me"', async () => {
  const { email, refresh: forgotten } = await signedInPerson(app);
  const remembered = (await login(email, PASSWORD, { remember: true })).body.refreshToken;
  pass(8 * DAY_MS);
  expect((await refresh(forgotten)).status).toBe(401);
  const renewed = await refresh(remembered);
  expect(renewed.status).toBe(200);
  pass(23 * DAY_MS);
  expect((await refresh(renewed.body.refresh)).status).toBe(401);
});

test('signing out also invalidates the access token', async () => {
  const { token, refresh: refreshToken } = await signedInPerson(app);
  expect((await me(token)).status).toBe(200);
  expect((await request({ method: 'POST', url: '/api/auth/logout/', token })).status).toBe(204);
  pass(999);
  expect((await me(token)).status).toBe(401);
  expect((await refresh(refreshToken)).status).toBe(401);
});

test('a changed password ends the other sessions and keeps this one', async () => {
  const { email, token } = await signedInPerson(app);
  const other = (await login(email, PASSWORD)).body.token;
  const change = (old_password: string) =>
    request({
      method: 'POST',
      url: '/api/auth/password/change/',
      token,
      body: { old_password, new_password: 'another good one' },
    });
  expect(await change('guessed')).toMatchObject({ status: 422, body: { field: 'old_password' } });
  expect((await change(PASSWORD)).status).toBe(204);
  pass(999);
  expect((await me(other)).status).toBe(401);
  expect((await me(token)).status).toBe(200);
  expect((await login(email, PASSWORD)).status).toBe(401);
  expect((await login(email, 'another good one')).status).toBe(200);
});

test('age and country are stored, and a user who may not invest gets the reason', async () => {
  const { token } = await signedInPerson(app);
  const change = (body: object) => request({ method: 'PATCH', url: '/api/auth/me/', token, body });
  expect((await me(token)).body).toMatchObject({ is_eligible: false, date_of_birth: null, country: null });
  expect(await change({ date_of_birth: '1990-02-30' })).toMatchObject({
    status: 400,
    body: { field: 'date_of_birth' },
  });
  expect(await change({ date_of_birth: '2020-01-01' })).toMatchObject({
    status: 422,
    body: { code: 'not_eligible', field: 'date_of_birth' },
  });
  expect(await change({ country: 'FR' })).toMatchObject({ status: 422, body: { field: 'country' } });
  expect(await change({ date_of_birth: '1990-02-28', country: 'IN' })).toMatchObject({
    status: 200,
    body: { is_eligible: true, eligibility_reason: null, date_of_birth: '1990-02-28', country: 'IN' },
  });
});
