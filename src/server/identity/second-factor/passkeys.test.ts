import { describe, expect, test } from 'vitest';
import { codeAt, twoFactorPerson } from '#tests/support/second-factor.ts';
import {
  addPasskey,
  passkeyPerson,
  proofInSession,
  softwarePasskey,
} from '#tests/support/software-passkey.ts';
import { testApp } from '#tests/support/test-app.ts';
import { PASSWORD, signedInPerson } from '#tests/support/test-person.ts';
import { instant, MINUTE_MS } from '#units/instant.ts';
import { takesPasskeys } from './relying-party.ts';

const app = await testApp();
const { request, world } = app;
const origin = app.dependencies.config.publicUrl;
const pass = (ms: number) => {
  world.now = instant(world.now + ms);
};
const post = (url: string, token: string, body?: object) =>
  request({ method: 'POST', url: `/api/auth/${url}/`, token, ...(body && { body }) });
const login = (email: string, proof: { code?: string; passkey?: object } = {}) =>
  request({ method: 'POST', url: '/api/auth/login/', body: { email, password: PASSWORD, ...proof } });
const challenge = async (email: string) => (await login(email)).body.details.passkey;
const state = async (token: string) => (await request({ url: '/api/auth/2fa/', token })).body;
const events = async (token: string) =>
  (await request({ url: '/api/auth/security-events/', token })).body.map(
    ({ kind }: { kind: string }) => kind,
  );

describe('adding', () => {
  test('the first one brings backup codes, ends other sessions and is asked for from then on', async () => {
    const { email, token } = await signedInPerson(app);
    const other = (await login(email)).body.token;
    const device = softwarePasskey(origin);
    const added = await addPasskey(app, token, device, 'My phone');
    expect(added).toMatchObject({ status: 201, body: { passkey: { name: 'My phone', last_used_at: null } } });
    expect(added.body.backup_codes).toHaveLength(10);
    expect(await state(token)).toMatchObject({
      is_on: true,
      app_since: null,
      passkeys: 1,
      backup_codes_left: 10,
    });
    pass(1_000);
    expect((await request({ url: '/api/auth/me/', token: other })).status).toBe(401);
    expect(await login(email)).toMatchObject({
      status: 401,
      body: { code: 'code_required', message: 'Use your passkey, or enter a backup code.' },
    });
    expect((await login(email, { passkey: device.prove(await challenge(email)) })).status).toBe(200);
    expect(await events(token)).toContain('passkey_added');
  });

  test('the second one keeps the backup codes, and one device is added once', async () => {
    const person = await passkeyPerson(app);
    expect((await addPasskey(app, person.token, softwarePasskey(origin))).body.backup_codes).toBeNull();
    expect(await addPasskey(app, person.token, person.device)).toMatchObject({
      status: 409,
      body: { code: 'already_exists' },
    });
    expect((await state(person.token)).passkeys).toBe(2);
  });

  test('only for our own name, with a challenge of this session, once and within five minutes', async () => {
    const { token } = await signedInPerson(app);
    const stranger = await signedInPerson(app);
    const device = softwarePasskey(origin);
    const options = async () => (await post('passkeys/options', token)).body;
    const add = (by: string, credential: object) => post('passkeys', by, { name: 'Mine', credential });
    const wrong = { status: 422, body: { code: 'wrong_passkey' } };
    expect(await add(token, device.register(await options(), 'https://elsewhere.test'))).toMatchObject(wrong);
    expect(await add(stranger.token, device.register(await options()))).toMatchObject(wrong);
    const late = device.register(await options());
    pass(5 * MINUTE_MS);
    expect(await add(token, late)).toMatchObject(wrong);
    const once = device.register(await options());
    const both = await Promise.all([add(token, once), add(token, once)]);
    expect(both.map(({ status }) => status).sort()).toEqual([201, 422]);
  });

  test('ten are kept, and the eleventh says what to do', async () => {
    const { token } = await signedInPerson(app);
    for (let i = 0; i < 10; i++)
      expect((await addPasskey(app, token, softwarePasskey(origin))).status).toBe(201);
    const refused = await post('passkeys/options', token);
    expect(refused).toMatchObject({ status: 422, body: { code: 'out_of_range' } });
    expect(refused.body.message).toContain('Remove one');
  });
});

describe('signing in', () => {
  test('an answer works once, also of two at once, and only the answer to a challenge of a right password', async () => {
    const { email, device } = await passkeyPerson(app);
    const proof = device.prove(await challenge(email));
    const both = await Promise.all([login(email, { passkey: proof }), login(email, { passkey: proof })]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 422]);
    expect(await login(email, { passkey: device.prove({ challenge: 'bm8' }) })).toMatchObject({
      status: 422,
      body: { code: 'wrong_passkey' },
    });
  });

  test('another origin, another device, another person and a late answer are refused', async () => {
    const [ada, bob] = [await passkeyPerson(app), await passkeyPerson(app)];
    const late = ada.device.prove(await challenge(ada.email));
    pass(5 * MINUTE_MS);
    const proofs = [
      late,
      ada.device.prove(await challenge(ada.email), { from: 'http://product.test.elsewhere.test' }),
      softwarePasskey(origin).prove(await challenge(ada.email)),
      bob.device.prove(await challenge(ada.email)),
      ada.device.prove(await challenge(bob.email)),
    ];
    for (const passkey of proofs)
      expect(await login(ada.email, { passkey })).toMatchObject({
        status: 422,
        body: { code: 'wrong_passkey' },
      });
    expect(await events(ada.token)).toContain('passkey_failed');
  });

  test('of many challenges at once the newest twenty work, and those of other people stay', async () => {
    const [ada, bob] = [await passkeyPerson(app), await passkeyPerson(app)];
    const [ofBob, first] = [await challenge(bob.email), await challenge(ada.email)];
    for (let i = 0; i < 20; i++) {
      pass(1);
      await challenge(ada.email);
    }
    expect((await login(ada.email, { passkey: ada.device.prove(first) })).status).toBe(422);
    expect((await login(bob.email, { passkey: bob.device.prove(ofBob) })).status).toBe(200);
  });

  test('a challenge for a confirmation does not sign in', async () => {
    const person = await passkeyPerson(app);
    expect((await login(person.email, { passkey: await proofInSession(app, person) })).status).toBe(422);
  });

  test('a counter that does not rise is a copy: refused, and told to the person', async () => {
    const { email, token, device } = await passkeyPerson(app);
    expect(
      (await login(email, { passkey: device.prove(await challenge(email), { counter: 7 }) })).status,
    ).toBe(200);
    for (const counter of [7, 3, 0])
      expect(
        (await login(email, { passkey: device.prove(await challenge(email), { counter }) })).status,
      ).toBe(422);
    expect(await events(token)).toContain('passkey_copied');
    expect(
      (await login(email, { passkey: device.prove(await challenge(email), { counter: 8 }) })).status,
    ).toBe(200);
  });

  test('a device that never counts signs in again and again', async () => {
    const { email, token } = await signedInPerson(app);
    const device = softwarePasskey(origin, 'nothing');
    await addPasskey(app, token, device);
    for (let i = 0; i < 3; i++)
      expect((await login(email, { passkey: device.prove(await challenge(email)) })).status).toBe(200);
  });

  test('a backup code signs in without the device; wrong answers are limited with wrong codes', async () => {
    const { email, backupCodes, device } = await passkeyPerson(app);
    expect((await login(email, { code: backupCodes[0]! })).status).toBe(200);
    for (let i = 0; i < 5; i++)
      expect((await login(email, { passkey: device.prove({ challenge: 'bm8' }) })).status).toBe(422);
    expect((await login(email, { code: backupCodes[1]! })).status).toBe(429);
  });

  test('beside an app either opens', async () => {
    const person = await twoFactorPerson(app);
    const { email, device, backupCodes } = await passkeyPerson(app, person);
    expect(backupCodes).toEqual([]);
    expect((await login(email)).body.message).toBe(
      'Use your passkey, or enter the code of your authenticator app.',
    );
    expect((await login(email, { code: person.nextCode() })).status).toBe(200);
    expect((await login(email, { passkey: device.prove(await challenge(email)) })).status).toBe(200);
  });
});

describe('confirming', () => {
  test('ten minutes later a passkey confirms, in its own session', async () => {
    const person = await passkeyPerson(app);
    pass(10 * MINUTE_MS);
    const fresh = await post('token/refresh', '', { refresh: person.refresh });
    Object.assign(person, { token: fresh.body.access });
    const body = { old_password: PASSWORD, new_password: 'a brand new one' };
    expect(await post('password/change', person.token, body)).toMatchObject({
      status: 403,
      body: { code: 'confirmation_required', details: { by: 'passkey' } },
    });
    const passkey = await proofInSession(app, person);
    const { email, device } = person;
    const elsewhere = (await login(email, { passkey: device.prove(await challenge(email)) })).body.token;
    expect((await post('confirm', elsewhere, { passkey })).status).toBe(422);
    expect((await post('confirm', person.token, { passkey: await proofInSession(app, person) })).status).toBe(
      204,
    );
    expect((await post('password/change', person.token, body)).status).toBe(204);
  });

  test('new backup codes come for a passkey', async () => {
    const person = await passkeyPerson(app);
    const renewed = await post('2fa/backup_codes', person.token, {
      passkey: await proofInSession(app, person),
    });
    expect(renewed.body.backup_codes).toHaveLength(10);
    expect((await login(person.email, { code: person.backupCodes[0]! })).status).toBe(422);
  });
});

describe('removing', () => {
  test('what is removed signs in no more; with the last one the backup codes go', async () => {
    const { email, token, passkeyId } = await passkeyPerson(app);
    const url = `/api/auth/passkeys/${passkeyId}/`;
    expect((await request({ method: 'DELETE', url, token })).status).toBe(204);
    expect((await request({ method: 'DELETE', url, token })).status).toBe(404);
    expect(await state(token)).toMatchObject({ is_on: false, passkeys: 0, backup_codes_left: 0 });
    expect((await login(email)).status).toBe(200);
  });

  test('the app that stays keeps the backup codes, and so does the passkey that stays', async () => {
    const both = await passkeyPerson(app, await twoFactorPerson(app));
    await request({ method: 'DELETE', url: `/api/auth/passkeys/${both.passkeyId}/`, token: both.token });
    expect(await state(both.token)).toMatchObject({ is_on: true, backup_codes_left: 10 });
    const again = await passkeyPerson(app, both);
    const passkey = await proofInSession(app, again);
    expect((await post('2fa/disable', again.token, { passkey })).status).toBe(204);
    expect(await state(again.token)).toMatchObject({ is_on: true, app_since: null, backup_codes_left: 10 });
  });

  test('a name is changed by its owner alone', async () => {
    const [ada, bob] = [await passkeyPerson(app), await passkeyPerson(app)];
    const rename = (token: string, name: string) =>
      request({ method: 'PATCH', url: `/api/auth/passkeys/${ada.passkeyId}/`, token, body: { name } });
    expect((await rename(bob.token, 'Mine')).status).toBe(404);
    expect(await rename(ada.token, ' ')).toMatchObject({ status: 400, body: { field: 'name' } });
    expect((await rename(ada.token, 'Office laptop')).body).toMatchObject({ name: 'Office laptop' });
    expect((await request({ url: '/api/auth/passkeys/', token: ada.token })).body).toMatchObject([
      { name: 'Office laptop' },
    ]);
  });
});

test('staff with a passkey alone have their second factor', async () => {
  const guarded = await testApp({ staffNeedSecondFactor: true });
  const person = await signedInPerson(guarded);
  await guarded.records.pool.query("update users set role = 'support' where id = $1", [person.id]);
  const desk = () => guarded.request({ url: '/api/operations/', token: person.token });
  expect((await desk()).body.code).toBe('second_factor_required');
  await passkeyPerson(guarded, person);
  guarded.world.now = instant(guarded.world.now + 1_000);
  expect((await desk()).status).toBe(200);
});

test('an app that is set up beside a passkey still needs its first code', async () => {
  const { token } = await passkeyPerson(app);
  const { secret } = (await post('2fa/setup', token)).body;
  expect((await post('2fa/enable', token, { code: codeAt(secret, world.now) })).status).toBe(200);
});

test.each([
  ['https://invest.example.test', true],
  ['http://localhost:4000', true],
  ['http://invest.example.test', false],
  ['https://192.0.2.7', false],
  ['http://[::1]:4000', false],
])('%s: browsers keep passkeys %s', (publicUrl, takes) => {
  expect(takesPasskeys({ config: { ...app.dependencies.config, publicUrl } })).toBe(takes);
});
