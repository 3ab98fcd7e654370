import { describe, expect, test } from 'vitest';
import { saveBrokerSession } from '#records/brokerage/broker-sessions.ts';
import { credentialsPurpose, openSecret } from '#records/keys/sealed-secret.ts';
import { type BrokerSessionState, SESSION_STATES } from '#engine/execution/connection/session-state.ts';
import { setStatus } from '#tests/support/deployment-commands.ts';
import { testApp } from '#tests/support/test-app.ts';
import { newDeployment } from '#tests/support/test-deployment.ts';
import {
  brokerId,
  callbackOf,
  connectBroker,
  signedInPerson,
  type TestPerson,
} from '#tests/support/test-person.ts';
import type { BrokerConnectionId } from '#units/identifiers.ts';
import { instant, MINUTE_MS } from '#units/instant.ts';
import { marketInstantOf, parseWallInstant, wallAfter } from '#units/wall-instant.ts';

const app = await testApp();

const { request, world } = app;
const integrated = await brokerId(app, 'interactive-brokers');
const begin = (token: string, broker: string = integrated) =>
  request({
    method: 'POST',
    url: '/api/broker-connections/',
    token,
    body: {
      broker,
      account_id: '',
      api_key: '',
      api_secret: '',
      is_primary: true,
      auth_token: '',
      connection_data: {},
    },
  });
const statusOf = async (token: string) => (await request({ url: '/api/ibkr-status/', token })).body;

test('a connection is pending until the sign-in window returns, then active', async () => {
  const { token } = await signedInPerson(app);
  expect(await statusOf(token)).toMatchObject({ connection_status: 'none', broker_connection_id: null });
  const begun = await begin(token);
  expect(begun).toMatchObject({
    status: 201,
    body: { connection_status: 'pending', is_primary: true, broker: integrated, account_id: null },
  });
  expect(await statusOf(token)).toMatchObject({ connection_status: 'pending' });
  const page = await request({ url: callbackOf(begun.body.authorize_url) });
  expect(page).toMatchObject({ status: 200, text: expect.stringContaining('Connected') });
  expect(page.headers['content-type']).toContain('text/html');
  expect(await statusOf(token)).toEqual({
    connection_status: 'active',
    broker_connection_id: begun.body.id,
    failure_reason: null,
  });
  const mine = await request({ url: '/api/broker-connections/me/?broker=Interactive%20Brokers', token });
  expect(mine.body).toMatchObject({ id: begun.body.id, account_id: '••••4567' });
  expect((await request({ url: '/api/auth/me/', token })).body.connectedBrokers).toEqual([integrated]);
});

test('credentials are sealed, bound to their own row, and never shown', async () => {
  const { token } = await signedInPerson(app);
  const id = await connectBroker(app, { token });
  const { rows } = await app.records.pool.query(
    'select sealed_credentials from broker_connections where id = $1',
    [id],
  );
  const sealed: Buffer = rows[0].sealed_credentials;
  expect(sealed.includes('hush')).toBe(false);
  const { keys } = app.dependencies;
  const opened = (row: string, vendor: string) =>
    openSecret(sealed, { keys, purpose: credentialsPurpose({ id: row, vendor }) });
  expect(await opened(id, 'interactive-brokers')).toBe('{"secret":"hush"}');
  await expect(opened('another', 'interactive-brokers')).rejects.toThrow();
  await expect(opened(id, 'alpaca'), 'they open for their own vendor alone').rejects.toThrow();
  const shown = await request({ url: '/api/broker-connections/', token });
  expect(shown.text).not.toMatch(/hush|DU1234567/);
});

test('a state works once, before it expires, and only unchanged', async () => {
  const { token } = await signedInPerson(app);
  const first = callbackOf((await begin(token)).body.authorize_url);
  expect((await request({ url: first.replace(/state=[^&]+/, 'state=guess') })).status).toBe(400);
  expect((await request({ url: '/api/broker-connections/callback' })).status).toBe(400);
  expect((await request({ url: first })).status).toBe(200);
  expect((await request({ url: first })).status).toBe(400);
  const late = callbackOf((await begin(token)).body.authorize_url);
  world.now = instant(world.now + 11 * MINUTE_MS);
  expect((await request({ url: late })).status).toBe(400);
});

test('a browser that did not start the sign-in connects nothing, and the one that did still can', async () => {
  const { token } = await signedInPerson(app);
  const begun = await begin(token);
  const back = callbackOf(begun.body.authorize_url);
  const headers = { 'sec-fetch-mode': 'navigate' };
  expect(await request({ url: back, headers })).toMatchObject({
    status: 400,
    text: expect.stringContaining('started in a different browser'),
  });
  const cookie = String(begun.headers['set-cookie']);
  expect(cookie).toMatch(/; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax/);
  const own = { ...headers, cookie: `theme=dark; ${cookie.split(';', 1)[0]}` };
  expect((await request({ url: back, headers: own })).status).toBe(200);
  expect(await statusOf(token)).toMatchObject({ connection_status: 'active' });
});

test('a broker of OAuth 2 sends the person back with a code instead of a verifier', async () => {
  const { token } = await signedInPerson(app);
  const back = callbackOf((await begin(token)).body.authorize_url);
  const url = back.replace(/oauth_token=[^&]*&?/, '').replace('oauth_verifier=', 'code=');
  expect(url).toMatch(/code=v/);
  expect(url).not.toMatch(/oauth_/);
  expect((await request({ url })).status).toBe(200);
  expect(await statusOf(token)).toMatchObject({ connection_status: 'active' });
});

test('an attempt not finished within ten minutes fails', async () => {
  const { token } = await signedInPerson(app);
  const { body } = await begin(token);
  world.now = instant(world.now + 5 * MINUTE_MS);
  expect(await statusOf(token)).toMatchObject({ connection_status: 'pending' });
  await app.records.pool.query('update broker_connections set expires_at = $2 where id = $1', [
    body.id,
    new Date(world.now - 1),
  ]);
  expect(await statusOf(token)).toMatchObject({
    connection_status: 'failed',
    failure_reason: expect.stringContaining('not completed in time'),
  });
});

test.each([
  [
    'a refusal at the broker',
    (url: string) => url.replace('&oauth_verifier=v', ''),
    'granted',
    'You did not approve access',
  ],
  [
    'the answer to another sign-in',
    (url: string) => url.replace(/oauth_token=\w+/, 'oauth_token=other'),
    'granted',
    'a different sign-in',
  ],
  ['a broker that is away', (url: string) => url, 'unreachable', 'did not respond'],
] as const)('%s makes the attempt fail and says why', async (_name, change, authorization, reason) => {
  const { token } = await signedInPerson(app);
  const back = callbackOf((await begin(token)).body.authorize_url);
  world.authorization = authorization;
  const page = await request({ url: change(back) });
  world.authorization = 'granted';
  expect(page.text).toContain(reason);
  expect(await statusOf(token)).toMatchObject({
    connection_status: 'failed',
    failure_reason: expect.stringContaining(reason),
  });
});

test('an unsupported broker, an unknown one and an unreachable one get different answers', async () => {
  const { token } = await signedInPerson(app);
  expect(await begin(token, await brokerId(app, 'alpaca'))).toMatchObject({
    status: 422,
    body: { code: 'broker_not_integrated', field: 'broker' },
  });
  expect(await begin(token, 'none')).toMatchObject({ status: 400, body: { field: 'broker' } });
  world.authorization = 'unreachable';
  expect(await begin(token)).toMatchObject({ status: 503, body: { code: 'broker_unavailable' } });
  world.authorization = 'granted';
});

test('connecting the same account again renews its connection', async () => {
  const { token } = await signedInPerson(app);
  const first = await connectBroker(app, { token });
  expect(await connectBroker(app, { token })).toBe(first);
  expect((await request({ url: '/api/broker-connections/', token })).body).toHaveLength(1);
  world.accountId = 'DU7654321';
  expect(await connectBroker(app, { token })).not.toBe(first);
  world.accountId = 'DU1234567';
});

test('exactly one connection is primary, a test queries the broker, and removal deletes it', async () => {
  const { token } = await signedInPerson(app);
  const first = await connectBroker(app, { token });
  world.accountId = 'DU7654321';
  const second = await connectBroker(app, { token });
  const path = (id: string, end = '') => `/api/broker-connections/${id}/${end}`;
  await request({ method: 'POST', url: path(first, 'set_primary/'), token });
  await request({ method: 'PATCH', url: path(second), token, body: { is_primary: true } });
  const list = (await request({ url: '/api/broker-connections/', token })).body;
  expect(list.filter((one: { is_primary: boolean }) => one.is_primary)).toMatchObject([{ id: second }]);
  const tested = (id: string) => request({ method: 'POST', url: path(id, 'test_connection/'), token });
  expect((await tested(second)).body).toMatchObject({ success: true, connection_status: 'active' });
  expect((await tested(first)).body).toMatchObject({ success: false });
  world.accountId = 'DU1234567';
  expect((await request({ method: 'DELETE', url: path(first), token })).status).toBe(204);
  expect((await request({ url: path(first), token })).status).toBe(404);
});

test('a failed attempt leaves the primary connection unchanged', async () => {
  const { token } = await signedInPerson(app);
  const connect = async () => {
    const { id, authorize_url } = (await begin(token)).body;
    await request({ url: callbackOf(authorize_url) });
    return id;
  };
  const working = await connect();
  const primary = async () =>
    (await request({ url: '/api/broker-connections/', token })).body.filter(
      (one: { is_primary: boolean; connection_status: string }) =>
        one.is_primary && one.connection_status === 'active',
    );
  expect(await primary()).toMatchObject([{ id: working }]);
  const { authorize_url } = (await begin(token)).body;
  expect(await primary()).toMatchObject([{ id: working }]);
  await request({ url: callbackOf(authorize_url).replace(/&oauth_verifier=[^&]*/, '') });
  const list = (await request({ url: '/api/broker-connections/', token })).body;
  expect(list.filter((one: { is_primary: boolean }) => one.is_primary)).toMatchObject([{ id: working }]);
  // Signing in to the same account again keeps its connection, and keeps it primary.
  await connect();
  expect(await primary()).toMatchObject([{ id: working }]);
});

test("another user's connection gets the same answer as an absent one", async () => {
  const owner = await signedInPerson(app);
  const other = await signedInPerson(app);
  const id = await connectBroker(app, owner);
  const calls = [
    ['GET', ''],
    ['PATCH', ''],
    ['DELETE', ''],
    ['POST', 'set_primary/'],
    ['POST', 'test_connection/'],
  ] as const;
  for (const [method, end] of calls) {
    const body = method === 'PATCH' ? { is_primary: true } : undefined;
    const answer = await request({
      method,
      url: `/api/broker-connections/${id}/${end}`,
      token: other.token,
      body,
    });
    expect(answer).toMatchObject({ status: 404, body: { code: 'not_found', message: 'Not found' } });
  }
});

describe('the session of a connection', () => {
  const { request, records } = app;
  const SINCE = parseWallInstant('2026-01-05T15:00:00Z');

  async function see(connection: string, state: BrokerSessionState): Promise<void> {
    const seen = { state, since: SINCE, detail: '', reconciledAt: SINCE };
    const until = state === 'reset_window' ? wallAfter(SINCE, 3_600_000) : null;
    const connectionId = connection as BrokerConnectionId;
    await records.database
      .transaction()
      .execute((trx) => saveBrokerSession(trx, { connectionId, ...seen, until }, marketInstantOf(SINCE)));
  }

  const get = async ({ token }: TestPerson, url: string) =>
    (await request({ method: 'GET', url, token })).body;

  test('each connection state is shown with its meaning, on the deployment and on its connection', async () => {
    const { person, deploymentId } = await newDeployment(app);
    const url = `/api/deployments/${deploymentId}/`;
    const before = await get(person, url);
    expect(before.broker_session).toBeNull();
    const connection = before.broker_connection;
    for (const state of SESSION_STATES) {
      await see(connection, state);
      const { broker_session } = await get(person, url);
      expect(broker_session, state).toMatchObject({ state, reconciled_at: '2026-01-05T15:00:00.000Z' });
      expect(broker_session.meaning.length).toBeGreaterThan(10);
      expect(broker_session.until, state).toBe(state === 'reset_window' ? '2026-01-05T16:00:00.000Z' : null);
      expect((await get(person, '/api/deployments/'))[0].broker_session).toEqual(broker_session);
      expect((await get(person, `/api/broker-connections/${connection}/`)).session).toEqual(broker_session);
    }
  });

  test('a permission that ends during a deployment requires a sign-in, and signing in again restores it', async () => {
    const { person, deploymentId } = await newDeployment(app);
    const url = `/api/deployments/${deploymentId}/`;
    const { broker_connection: connection } = await get(person, url);
    await see(connection, 'connected');
    await records.pool.query(`update broker_connections set status = 'revoked' where id = $1`, [connection]);
    expect((await get(person, url)).broker_session).toMatchObject({
      state: 'sign_in_due',
      since: null,
      next_step: 'Connect Interactive Brokers again.',
    });
    expect(await connectBroker(app, person)).toBe(connection);
    expect((await get(person, `/api/broker-connections/${connection}/`)).connection_status).toBe('active');
    expect((await get(person, url)).broker_session).toMatchObject({ state: 'connected' });
  });

  test('an ended deployment, and a connection that nothing trades over, show no session', async () => {
    const { person, deploymentId } = await newDeployment(app);
    const url = `/api/deployments/${deploymentId}/`;
    const { broker_connection: connection } = await get(person, url);
    await see(connection, 'lost');
    await setStatus(records.pool, deploymentId, 'stopped');
    expect((await get(person, url)).broker_session).toBeNull();
    expect((await get(person, `/api/broker-connections/${connection}/`)).session).toBeNull();
  });

  test('a deployment waits when the broker is silent, unless the owner chooses otherwise', async () => {
    const { person, deploymentId } = await newDeployment(app);
    const url = `/api/deployments/${deploymentId}/settings/`;
    const change = (body: object) => request({ method: 'PATCH', url, token: person.token, body });
    const first = await get(person, `/api/deployments/${deploymentId}/`);
    expect(first).toMatchObject({ disconnect_choice: 'wait', disconnect_minutes: 60 });
    const changed = await change({ disconnect_choice: 'close', disconnect_minutes: 240 });
    expect(changed.body).toMatchObject({
      disconnect_choice: 'close',
      disconnect_minutes: 240,
      stop_loss_percentage: 10,
    });
    const { rows } = await records.pool.query(
      'select disconnect_choice, disconnect_minutes from deployments where id = $1',
      [deploymentId],
    );
    expect(rows).toEqual([{ disconnect_choice: 'close', disconnect_minutes: 240 }]);
    expect((await change({ disconnect_choice: 'pause' })).body.disconnect_minutes).toBe(240);
    const refused = await change({ disconnect_minutes: 2 });
    expect(refused).toMatchObject({
      status: 422,
      body: { code: 'out_of_range', field: 'disconnect_minutes' },
    });
  });
});
