import { setStatus } from '#tests/support/deployment-commands.ts';
import { expect, test } from 'vitest';
import { testApp } from '../../../tests/support/test-app.ts';
import { newDeployment } from '../../../tests/support/test-deployment.ts';
import { connectBroker, type TestPerson } from '../../../tests/support/test-person.ts';
import { saveBrokerSession } from '#records/brokerage/broker-sessions.ts';
import { type BrokerSessionState, SESSION_STATES } from '#engine/execution/session-state.ts';
import type { BrokerConnectionId } from '#units/identifiers.ts';
import { instant, parseInstant } from '#units/instant.ts';

const app = await testApp();
const { request, records } = app;
const SINCE = parseInstant('2026-01-05T15:00:00Z');

async function see(connection: string, state: BrokerSessionState): Promise<void> {
  const seen = { state, since: SINCE, detail: '', reconciledAt: SINCE };
  const until = state === 'reset_window' ? instant(SINCE + 3_600_000) : null;
  const connectionId = connection as BrokerConnectionId;
  await records.database
    .transaction()
    .execute((trx) => saveBrokerSession(trx, { connectionId, ...seen, until }, SINCE));
}

const get = async ({ token }: TestPerson, url: string) => (await request({ method: 'GET', url, token })).body;

test('each state of the connection is shown with what it means, on the deployment and its connection', async () => {
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

test('a permission that ended under a deployment is a sign-in that is due, and signing in again mends it', async () => {
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

test('an ended deployment, and the connection that nothing trades over, say nothing of a session', async () => {
  const { person, deploymentId } = await newDeployment(app);
  const url = `/api/deployments/${deploymentId}/`;
  const { broker_connection: connection } = await get(person, url);
  await see(connection, 'lost');
  await setStatus(records.pool, deploymentId, 'stopped');
  expect((await get(person, url)).broker_session).toBeNull();
  expect((await get(person, `/api/broker-connections/${connection}/`)).session).toBeNull();
});

test('what a silent broker leads to is waiting, unless the owner chooses otherwise', async () => {
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
