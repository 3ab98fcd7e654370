import { pino } from 'pino';
import { expect, test } from 'vitest';
import { createApp } from '#server/app.ts';
import { LOG_OPTIONS } from '#server/http/log-options.ts';
import { twoFactorPerson } from '#tests/support/second-factor.ts';
import { testApp } from '#tests/support/test-app.ts';
import { PASSWORD, signedInPerson } from '#tests/support/test-person.ts';

const app = await testApp();
const written: string[] = [];
const logger = pino({ ...LOG_OPTIONS, level: 'warn' }, { write: (line: string) => void written.push(line) });
const logged = await createApp({ ...app.dependencies, logger });
await logged.ready();
const lines = () => written.splice(0).map((line) => JSON.parse(line) as Record<string, unknown>);

const ask = (method: 'GET' | 'POST' | 'DELETE', url: string, token?: string, payload?: object) =>
  logged.inject({
    method,
    url,
    remoteAddress: '198.51.100.7',
    ...(payload && { payload }),
    headers: {
      'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
  });
const login = (email: string, password: string) =>
  ask('POST', '/api/auth/login/', undefined, { email, password });
const events = async (token: string) =>
  (await ask('GET', '/api/auth/security-events/', token)).json<{ kind: string }[]>();

test('sign-ins and changes are in a log of their own, whatever the level, and shown to the person', async () => {
  const { id, email, token } = await signedInPerson(app);
  lines();
  await login(email, 'not it at all');
  await login(email, PASSWORD);
  const body = { old_password: PASSWORD, new_password: 'another long one' };
  await ask('POST', '/api/auth/password/change/', token, body);
  await ask('POST', '/api/auth/sessions/end_others/', token);
  const kinds = ['sign_in_failed', 'signed_in', 'password_changed', 'other_sessions_ended'];
  const found = lines();
  expect(found).toMatchObject(
    kinds.map((kind) => ({ name: 'security', level: 30, kind, userId: id, address: '198.51.100.7' })),
  );
  expect(JSON.stringify(found)).not.toMatch(new RegExp(`${email}|not it at all|${PASSWORD}`));
  const shown = await events(token);
  expect(shown.map(({ kind }) => kind)).toEqual([...kinds.toReversed(), 'signed_in']);
  expect(shown[2]).toMatchObject({
    text: 'Signed in',
    device: 'Firefox on Linux',
    address: '198.51.100.7',
  });
});

test('held back guesses are logged each time, and shown once an hour', async () => {
  const { email, token } = await signedInPerson(app);
  lines();
  await Promise.all(Array.from({ length: 8 }, () => login(email, 'not it at all')));
  const count = (found: readonly { kind?: unknown }[], kind: string) =>
    found.filter((one) => one.kind === kind).length;
  const found = lines();
  expect([count(found, 'sign_in_failed'), count(found, 'guesses_limited')]).toEqual([5, 3]);
  const cookieless = await events(token);
  expect(count(cookieless, 'guesses_limited')).toBe(1);
}, 30_000);

test('a guess at an unknown account is logged without its address', async () => {
  lines();
  await login('nobody@example.test', 'not it at all');
  expect(lines()).toMatchObject([{ kind: 'sign_in_failed', userId: null }]);
});

test('changes of the second factor are noted, and so is a wrong code', async () => {
  const { token, email, backupCodes } = await twoFactorPerson(app);
  lines();
  await ask('POST', '/api/auth/login/', undefined, { email, password: PASSWORD, code: '000000' });
  await ask('POST', '/api/auth/2fa/disable/', token, { code: backupCodes[0] });
  expect(lines().map(({ kind }) => kind)).toEqual(['code_failed', 'two_factor_off']);
  expect((await events(token)).map(({ kind }) => kind)).toContain('two_factor_on');
});

test('a call of the desk that is refused to a client is logged', async () => {
  const { id, token } = await signedInPerson(app);
  lines();
  expect((await ask('GET', '/api/operations/', token)).statusCode).toBe(404);
  expect(lines()).toMatchObject([
    { name: 'security', kind: 'staff_call_refused', userId: id, method: 'GET', status: 404 },
  ]);
});

test('nobody sees the activity of someone else, and it does not grow without end', async () => {
  const [ada, eve] = [await signedInPerson(app), await signedInPerson(app)];
  await app.records.pool.query(
    `insert into account_events (user_id, kind, address, user_agent, at)
     select $1, 'signed_in', '', '', now() from generate_series(1, 500)`,
    [ada.id],
  );
  await login(ada.email, PASSWORD);
  const { rows } = await app.records.pool.query(
    'select count(*)::int from account_events where user_id = $1',
    [ada.id],
  );
  expect(rows).toEqual([{ count: 300 }]);
  expect(await events(eve.token)).toHaveLength(1);
  expect(await events(ada.token)).toHaveLength(20);
});

test('a sign-in says with which factor, and what somebody tries past a rule is logged with who it was', async () => {
  const { token, email, backupCodes, id } = await twoFactorPerson(app);
  const stranger = await signedInPerson(app);
  lines();
  await ask('POST', '/api/auth/login/', undefined, { email, password: PASSWORD, code: backupCodes[0] });
  await login(stranger.email, PASSWORD);
  await ask('POST', '/api/auth/logout/', token);
  await ask('DELETE', '/api/auth/passkeys/5b0f6f2e-7c1d-4e9a-8a34-000000000001/', stranger.token);
  await ask('POST', '/api/operations/clients/find/', stranger.token, { sought: email });
  await ask('POST', '/api/risk-assessment/', stranger.token, { responses: 'none' });
  expect(lines()).toMatchObject([
    { kind: 'signed_in', userId: id, factor: 'code' },
    { kind: 'signed_in', userId: stranger.id, factor: 'none' },
    { kind: 'signed_out', userId: id },
    { kind: 'foreign_or_absent', userId: stranger.id, status: 404, path: '/api/auth/passkeys/:id/' },
    { kind: 'staff_call_refused', userId: stranger.id, status: 404 },
    { kind: 'broken_request', userId: stranger.id, status: 400, method: 'POST' },
  ]);
});
