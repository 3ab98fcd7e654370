import { expect, test } from 'vitest';
import { testApp } from '#tests/support/test-app.ts';
import { PASSWORD, signedInPerson } from '#tests/support/test-person.ts';
import { instant, MINUTE_MS } from '#units/instant.ts';

const app = await testApp();
const { request, world } = app;
const pass = (ms: number) => {
  world.now = instant(world.now + ms);
};
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

async function signIn(email: string, remoteAddress: string, userAgent = FIREFOX) {
  const answer = await app.app.inject({
    method: 'POST',
    url: '/api/auth/login/',
    payload: { email, password: PASSWORD },
    remoteAddress,
    headers: { 'user-agent': userAgent },
  });
  return answer.json<{ token: string; refreshToken: string }>();
}
const list = async (token: string) => (await request({ url: '/api/auth/sessions/', token })).body;
const isIn = async (token: string) => (await request({ url: '/api/auth/me/', token })).status === 200;
const refresh = (token: string) =>
  request({ method: 'POST', url: '/api/auth/token/refresh/', body: { refresh: token } });

test('each session is listed with its browser, address and newest use, and this one is marked', async () => {
  const { email } = await signedInPerson(app);
  const { token: other } = await signIn(email, '198.51.100.7');
  pass(5 * MINUTE_MS);
  await app.app.inject({
    url: '/api/auth/me/',
    headers: { authorization: `Bearer ${other}` },
    remoteAddress: '198.51.100.8',
  });
  const at = new Date(world.now).toISOString();
  expect(await list(other)).toMatchObject([
    {
      device: 'Firefox on Linux',
      address: '198.51.100.8',
      place: 'another network',
      last_used_at: at,
      is_current: true,
    },
    {
      device: 'Unknown device',
      address: '127.0.0.1',
      place: 'the network that you use now',
      is_current: false,
    },
  ]);
});

test('a session that is ended is refused at its next use, with its refresh token', async () => {
  const { email, token } = await signedInPerson(app);
  const other = await signIn(email, '198.51.100.7');
  expect(await isIn(other.token)).toBe(true);
  const [ended] = (await list(token)).filter((one: { is_current: boolean }) => !one.is_current);
  const remove = () => request({ method: 'DELETE', url: `/api/auth/sessions/${ended.id}/`, token });
  expect((await remove()).status).toBe(204);
  pass(500);
  expect(await isIn(other.token)).toBe(false);
  expect((await refresh(other.refreshToken)).status).toBe(401);
  expect(await isIn(token)).toBe(true);
  expect((await remove()).status).toBe(404);
});

test('all other sessions end at once, this one goes on', async () => {
  const { email, token } = await signedInPerson(app);
  const others = [await signIn(email, '198.51.100.7'), await signIn(email, '198.51.100.8')];
  expect((await request({ method: 'POST', url: '/api/auth/sessions/end_others/', token })).status).toBe(204);
  pass(500);
  for (const other of others) expect(await isIn(other.token)).toBe(false);
  expect(await list(token)).toMatchObject([{ is_current: true }]);
});

test('ten minutes after the sign-in, ending sessions asks who it is', async () => {
  const { email } = await signedInPerson(app);
  const { refreshToken } = await signIn(email, '198.51.100.7');
  pass(10 * MINUTE_MS);
  const { access: token } = (await refresh(refreshToken)).body;
  const [other] = (await list(token)).filter((one: { is_current: boolean }) => !one.is_current);
  const one = { method: 'DELETE', url: `/api/auth/sessions/${other.id}/`, token } as const;
  const all = { method: 'POST', url: '/api/auth/sessions/end_others/', token } as const;
  for (const asked of [one, all])
    expect(await request(asked)).toMatchObject({
      status: 403,
      body: { code: 'confirmation_required', details: { by: 'password' } },
    });
  await request({ method: 'POST', url: '/api/auth/confirm/', token, body: { password: PASSWORD } });
  for (const asked of [one, all]) expect((await request(asked)).status).toBe(204);
});

test('nobody sees or ends the session of someone else', async () => {
  const [ada, eve] = [await signedInPerson(app), await signedInPerson(app)];
  const [session] = await list(ada.token);
  for (const id of [session.id, 'not-an-id'])
    expect(
      await request({ method: 'DELETE', url: `/api/auth/sessions/${id}/`, token: eve.token }),
    ).toMatchObject({ status: 404, body: { code: 'not_found' } });
  expect(await list(eve.token)).toHaveLength(1);
  expect(await isIn(ada.token)).toBe(true);
});
