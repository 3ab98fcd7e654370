import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { findAuditHead } from '#records/operations/audit-log.ts';
import { liquidationRequest, supportPerson, tradingDeployment } from '#tests/api/scene.ts';
import { unknownOrder } from '#tests/api/cases/operations.ts';
import { testApp } from '#tests/support/test-app.ts';
import { readyPerson, signedInPerson } from '#tests/support/test-person.ts';
import { instant } from '#units/instant.ts';

const app = await testApp();
const { request, records } = app;
const support = await supportPerson(app);
const find = async (sought: string) =>
  request({ method: 'POST', url: '/api/operations/clients/find/', token: support.token, body: { sought } });
const look = (id: string, token = support.token) => request({ url: `/api/operations/clients/${id}/`, token });
const ids = async (sought: string) => (await find(sought)).body.results.map(({ id }: { id: string }) => id);
const audited = async (id: string) => {
  const { rows } = await records.pool.query<{ actor: string; action: string }>(
    'select actor, action from audit_log where subject = $1 order by seq',
    [`person:${id}`],
  );
  return rows.filter(({ action }) => action === 'person.found' || action === 'person.viewed');
};

test('a client is found by mail, account number, and each id of an order; not by a part of any', async () => {
  app.world.accountId = 'DU7654321';
  const person = await readyPerson(app);
  expect((await find(` ${person.email.toUpperCase()} `)).body.results).toEqual([
    { id: person.id, email: person.email, name: 'Ada', found_by: 'mail' },
  ]);
  expect((await find('DU7654321')).body.results).toMatchObject([{ id: person.id, found_by: 'account' }]);
  for (const part of ['DU765432', person.email.slice(1), '%%%', '___', "' or true --"])
    expect(await ids(part)).toEqual([]);
  expect(await find(' ab ')).toMatchObject({ status: 400, body: { field: 'sought' } });
  const { params, clientOrderId, deploymentId } = await unknownOrder(app);
  await records.pool.query("update orders set broker_order_id = '990017' where id = $1", [params.id]);
  const { rows } = await records.pool.query('select user_id from deployments where id = $1', [deploymentId]);
  for (const sought of [params.id, params.id.toUpperCase(), clientOrderId, '990017'])
    expect((await find(sought)).body.results).toMatchObject([{ id: rows[0].user_id, found_by: 'order' }]);
});

test('an account that two clients trade, or have traded, finds both; staff are not found', async () => {
  app.world.accountId = 'DU5550001';
  const first = await readyPerson(app);
  const second = await readyPerson(app);
  expect((await ids('DU5550001')).toSorted()).toEqual([first.id, second.id].toSorted());
  expect(await ids(support.email)).toEqual([]);
  expect((await look(support.id)).status).toBe(404);
});

test('each find and each look is in the audit log with who it was', async () => {
  const person = await signedInPerson(app);
  await find(person.email);
  await look(person.id);
  await look(person.id);
  const actor = `staff:${support.email}`;
  expect(await audited(person.id)).toEqual([
    { actor, action: 'person.found' },
    { actor, action: 'person.viewed' },
    { actor, action: 'person.viewed' },
  ]);
  const before = await findAuditHead(records.database);
  expect((await look(randomUUID())).status).toBe(404);
  await find('nobody@example.test');
  expect(await findAuditHead(records.database)).toEqual(before);
});

test('the page has books, connections and what happened', async () => {
  const { person, sent } = await tradingDeployment(app);
  const { status, body } = await look(person.id);
  expect(status).toBe(200);
  expect(body).toMatchObject({
    id: person.id,
    email: person.email,
    is_agreement_signed: true,
    has_second_factor: false,
  });
  const [deployment] = body.deployments;
  expect(deployment).toMatchObject({ id: sent.params.id, mode: 'real', investment: 10_000, ended_at: null });
  expect(body.connections).toMatchObject([{ connection_status: 'active', account: deployment.account }]);
  const titles = body.timeline.map(({ title }: { title: string }) => title);
  expect(titles).toContain('Signed in');
  expect(titles.some((title: string) => title.startsWith('Connected '))).toBe(true);
  const times = body.timeline.map(({ at }: { at: string }) => at);
  expect(times).toEqual(times.toSorted().toReversed());
  expect(JSON.stringify(body)).not.toContain('sealed');
});

test('what the queues of the desk have about them has an age, and nothing of another client', async () => {
  const { deploymentId } = await liquidationRequest(app);
  const { rows } = await records.pool.query('select user_id from deployments where id = $1', [deploymentId]);
  const order = await unknownOrder(app);
  const { rows: others } = await records.pool.query('select user_id from deployments where id = $1', [
    order.deploymentId,
  ]);
  await records.pool.query(
    `with opened as (insert into account_openings (account_id, connection_id, currency, cash_micro, at)
       select c.account_id, c.id, 'USD', 0, now() from broker_connections c
       join deployments d on d.broker_connection_id = c.id where d.id = $1 on conflict do nothing)
     insert into cash_breaks (account_id, currency, unexplained_micro, date)
     select c.account_id, 'USD', 12340000, '2026-01-05' from broker_connections c
     join deployments d on d.broker_connection_id = c.id where d.id = $1`,
    [deploymentId],
  );
  const one = (await look(rows[0].user_id)).body;
  expect(one.waiting.map(({ queue }: { queue: string }) => queue).toSorted()).toEqual([
    'cash_difference',
    'liquidation',
  ]);
  expect(one.cash_differences).toMatchObject([{ currency: 'USD', amount: 12.34 }]);
  for (const { since } of one.waiting) expect(Date.parse(since)).toBeGreaterThan(0);
  const other = (await look(others[0].user_id)).body;
  expect(other.waiting).toMatchObject([{ queue: 'unconfirmed_order', id: order.params.id, clock: 'real' }]);
});

test('a note is kept with author and time, once for a repeated request, and is not changed', async () => {
  const { id } = await signedInPerson(app);
  const write = () =>
    request({
      method: 'POST',
      url: `/api/operations/clients/${id}/notes/`,
      token: support.token,
      headers: { 'idempotency-key': 'the note' },
      body: { note: ' asked for the statement of May ' },
    });
  const written = await write();
  expect(written).toMatchObject({
    status: 201,
    body: { note: 'asked for the statement of May', by: support.email },
  });
  expect((await write()).body).toEqual(written.body);
  expect((await look(id)).body.notes).toEqual([written.body]);
  await expect(records.pool.query("update client_notes set note = 'else'")).rejects.toThrow(
    'a note is not changed',
  );
  const { rows } = await records.pool.query(
    "select details from audit_log where action = 'client_note.created'",
  );
  expect(rows).toHaveLength(1);
  expect(rows[0].details).not.toContain('statement');
});

test('support signs a client out everywhere: the next call is refused, and both logs say who it was', async () => {
  const { id, token } = await signedInPerson(app);
  const url = `/api/operations/clients/${id}/end_sessions/`;
  app.world.now = instant(app.world.now + 1_000);
  expect((await request({ method: 'POST', url, token: support.token })).status).toBe(204);
  app.world.now = instant(app.world.now + 1_000);
  expect((await request({ url: '/api/auth/me/', token })).status).toBe(401);
  const { rows } = await records.pool.query(
    "select actor from audit_log where subject = $1 and action = 'person.signed_out'",
    [`person:${id}`],
  );
  expect(rows).toEqual([{ actor: `staff:${support.email}` }]);
  const [newest] = (await look(id)).body.timeline.filter(({ kind }: { kind: string }) => kind === 'sign_in');
  expect(newest).toMatchObject({ title: 'Support signed out all your sessions', address: '' });
});
