import { describe, expect, test } from 'vitest';
import { codeAt, twoFactorPerson } from '#tests/support/second-factor.ts';
import { testApp } from '#tests/support/test-app.ts';
import { PASSWORD, readyPerson, signedInPerson } from '#tests/support/test-person.ts';
import { instant, MINUTE_MS } from '#units/instant.ts';

const app = await testApp();
const { request, world } = app;
const pass = (ms: number) => {
  world.now = instant(world.now + ms);
};
const post = (url: string, token: string, body?: object) =>
  request({ method: 'POST', url: `/api/auth/${url}/`, token, ...(body && { body }) });
const login = (email: string, code?: string) =>
  request({ method: 'POST', url: '/api/auth/login/', body: { email, password: PASSWORD, code } });
const state = async (token: string) => (await request({ url: '/api/auth/2fa/', token })).body;

test('a sign-in needs a code once the app has shown that it has the secret, and not before', async () => {
  const { email, token } = await signedInPerson(app);
  const setUp = (await post('2fa/setup', token)).body;
  expect(setUp.otpauth_url).toContain(`secret=${setUp.secret}`);
  expect((await login(email)).status).toBe(200);
  expect(await post('2fa/enable', token, { code: '000000' })).toMatchObject({
    status: 422,
    body: { code: 'wrong_code', field: 'code' },
  });
  expect(await state(token)).toMatchObject({ is_on: false, backup_codes_left: 0, is_required: false });
  const enabled = await post('2fa/enable', token, { code: codeAt(setUp.secret, world.now) });
  expect(enabled.body.backup_codes).toHaveLength(10);
  expect(await state(token)).toMatchObject({ is_on: true, backup_codes_left: 10 });
  expect(await login(email)).toMatchObject({ status: 401, body: { code: 'code_required', field: 'code' } });
  pass(30_000);
  expect((await login(email, codeAt(setUp.secret, world.now))).status).toBe(200);
});

test('neither the secret nor a backup code is in the database', async () => {
  const { id, token } = await signedInPerson(app);
  const { secret } = (await post('2fa/setup', token)).body;
  const { backup_codes: codes } = (await post('2fa/enable', token, { code: codeAt(secret, world.now) })).body;
  const { rows } = await app.records.pool.query(
    `select encode(sealed_secret, 'escape') as sealed, encode(code_hash, 'escape') as hash
     from authenticators join backup_codes using (user_id) where user_id = $1`,
    [id],
  );
  expect(rows).toHaveLength(10);
  for (const hidden of [secret, ...codes]) expect(JSON.stringify(rows)).not.toContain(hidden);
});

test('a code works once: a replay, and the one before it, are refused', async () => {
  const { email, nextCode } = await twoFactorPerson(app);
  const earlier = nextCode();
  const code = nextCode();
  expect((await login(email, code)).status).toBe(200);
  for (const spent of [code, earlier])
    expect(await login(email, spent)).toMatchObject({ status: 422, body: { code: 'wrong_code' } });
});

test('of two sign-ins at once with one code, or one backup code, one gets in', async () => {
  const { email, nextCode, backupCodes } = await twoFactorPerson(app);
  for (const code of [nextCode(), backupCodes[3]!]) {
    const answers = await Promise.all([login(email, code), login(email, code)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422]);
  }
});

test('a backup code works once, however it is written, and new ones replace the rest', async () => {
  const { email, token, backupCodes, nextCode } = await twoFactorPerson(app);
  const [first, second] = backupCodes;
  expect((await login(email, ` ${first!.toLowerCase().replace('-', ' ')} `)).status).toBe(200);
  expect((await login(email, first)).status).toBe(422);
  expect((await state(token)).backup_codes_left).toBe(9);
  const renewed = (await post('2fa/backup_codes', token, { code: nextCode() })).body.backup_codes;
  expect((await login(email, second)).status).toBe(422);
  expect((await login(email, renewed[0])).status).toBe(200);
});

test('codes cannot be guessed: five a minute, then even the right one waits', async () => {
  const { email, nextCode } = await twoFactorPerson(app);
  const code = nextCode();
  for (let i = 0; i < 5; i++) expect((await login(email, `00000${i}`)).status).toBe(422);
  expect(await login(email, code)).toMatchObject({ status: 429 });
});

test('turning it off needs a code, and ends the backup codes', async () => {
  const { email, token, nextCode } = await twoFactorPerson(app);
  expect((await post('2fa/disable', token, { code: '123' })).status).toBe(422);
  expect((await post('2fa/setup', token)).body.code).toBe('already_exists');
  expect((await post('2fa/disable', token, { code: nextCode() })).status).toBe(204);
  expect((await login(email)).status).toBe(200);
  expect(await state(token)).toMatchObject({ is_on: false, backup_codes_left: 0 });
});

test('turning it on ends the sessions that never saw a code', async () => {
  const person = await signedInPerson(app);
  const other = (await login(person.email)).body.token;
  await twoFactorPerson(app, person);
  pass(500);
  expect((await request({ url: '/api/auth/me/', token: other })).status).toBe(401);
  expect((await request({ url: '/api/auth/me/', token: person.token })).status).toBe(200);
});

describe('a confirmation', () => {
  const connect = async (token: string) => {
    const { rows } = await app.records.pool.query(
      `select id from brokers where slug = 'interactive-brokers'`,
    );
    return request({ method: 'POST', url: '/api/broker-connections/', token, body: { broker: rows[0].id } });
  };
  const refreshed = async (refresh: string) =>
    (await request({ method: 'POST', url: '/api/auth/token/refresh/', body: { refresh } })).body.access;

  test('is asked for ten minutes after the sign-in, with a code, and lasts ten minutes', async () => {
    const { refresh, nextCode, token } = await twoFactorPerson(app, await readyPerson(app));
    expect((await connect(token)).status).toBe(201);
    pass(10 * MINUTE_MS);
    const later = await refreshed(refresh);
    expect(await connect(later)).toMatchObject({
      status: 403,
      body: { code: 'confirmation_required', details: { by: 'code' } },
    });
    expect((await post('confirm', later, { password: PASSWORD })).status).toBe(422);
    expect((await post('confirm', later, { code: nextCode() })).status).toBe(204);
    expect((await connect(later)).status).toBe(201);
  });

  test('is not asked of people without a second factor, except to set one up', async () => {
    const { refresh } = await readyPerson(app);
    pass(10 * MINUTE_MS);
    const token = await refreshed(refresh);
    expect((await connect(token)).status).toBe(201);
    expect(await post('2fa/setup', token)).toMatchObject({
      status: 403,
      body: { code: 'confirmation_required', details: { by: 'password' } },
    });
    expect((await post('confirm', token, { password: 'not this one' })).status).toBe(422);
    expect((await post('confirm', token, { password: PASSWORD })).status).toBe(204);
    expect((await post('2fa/setup', token)).status).toBe(200);
  });
});

test('staff of a real installation reach only their account until they have a second factor', async () => {
  const real = await testApp({ staffNeedSecondFactor: true });
  const person = await signedInPerson(real);
  const { id, token } = person;
  const ask = (url: string) => real.request({ url, token });
  // A session from before the promotion is held to it too.
  await real.records.pool.query(`update users set role = 'support' where id = $1`, [id]);
  real.world.now = instant(real.world.now + 500);
  expect(await ask('/api/operations/')).toMatchObject({
    status: 403,
    body: { code: 'second_factor_required' },
  });
  expect((await ask('/api/auth/me/')).status).toBe(200);
  expect((await ask('/api/auth/2fa/')).body.is_required).toBe(true);
  await twoFactorPerson(real, person);
  real.world.now = instant(real.world.now + 500);
  expect((await ask('/api/operations/')).status).toBe(200);
  const client = await signedInPerson(real);
  expect((await real.request({ url: '/api/deployments/', token: client.token })).status).toBe(200);
});
