import { expect, test } from 'vitest';
import { insertExpectedRange } from '#tests/support/expected-range.ts';
import { testApp } from '#tests/support/test-app.ts';
import { tradedDeployment } from '#tests/support/test-deployment.ts';
import { readyPerson, signedInPerson } from '#tests/support/test-person.ts';
import { publishedStrategy } from '#tests/support/test-strategy.ts';
import type { DeploymentId } from '#units/identifiers.ts';

const app = await testApp();
const { request, records } = app;
const rows = async <Row>(query: string, ...values: unknown[]) =>
  (await records.pool.query(query, values)).rows as Row[];
const terms = { stop_loss_percentage: 10, max_allocation_per_trade: 20, freeze_on_drawdown: 25 };
const jobsOf = (id: string) =>
  rows<{ data: object }>(
    `select data from pgboss.job where name = 'result-renewals' and data->>'deploymentId' = $1`,
    id,
  );

test('deploying and practising ask for the range in the transaction that makes the deployment', async () => {
  const strategy = await publishedStrategy(app);
  const person = await readyPerson(app);
  const body = { strategy, investment_amount: 10_000, ...terms, tripwire_choice: 'halve' };
  const real = await request({
    method: 'POST',
    url: '/api/deployments/',
    token: person.token,
    body: { ...body, broker_connection: person.connectionId },
  });
  expect(real.body).toMatchObject({
    tripwire_choice: 'halve',
    tripwire_state: 'green',
    tripwire_since: null,
  });
  const { tripwire_choice: _, ...unsaid } = body;
  const practice = await request({
    method: 'POST',
    url: '/api/practice-deployments/',
    token: person.token,
    body: unsaid,
  });
  expect(practice.body.tripwire_choice).toBe('notify');
  for (const { body: made } of [real, practice])
    expect(await jobsOf(made.id)).toMatchObject([{ data: { work: 'range', deploymentId: made.id } }]);
  const url = `/api/deployments/${real.body.id}/expected-range/`;
  const { body: range } = await request({ url, token: person.token });
  expect(range).toMatchObject({ made_at: null, rows: [], alternatives: null, made_from: null });
  expect(range.unavailable).toContain('being computed');
});

test('its owner reads it, as CSV too, and nobody else', async () => {
  const { person, deploymentId } = await tradedDeployment(app);
  await insertExpectedRange(records.database, deploymentId as DeploymentId);
  const url = `/api/deployments/${deploymentId}/expected-range/`;
  const { body } = await request({ url, token: person.token });
  expect(body).toMatchObject({
    unavailable: null,
    alternatives: 1_000,
    made_from: { days: 3_270, days_in_sample: 2_900, investment_amount: 10_000, freeze_on_drawdown: 25 },
    tripwire: { state: 'green', since: null, judged_until: null, days: 0 },
  });
  expect(body.rows[1]).toEqual({
    date: '2026-01-06',
    session: 1,
    p5: 0.985,
    p25: 0.995,
    p50: 1.001,
    p75: 1.006,
    p95: 1.017,
  });
  const csv = await request({ url: `${url}csv/`, token: person.token });
  expect(csv.text.split('\r\n')).toEqual([
    'date,session,p5,p25,p50,p75,p95',
    '2026-01-05,0,1,1,1,1,1',
    '2026-01-06,1,0.985,0.995,1.001,1.006,1.017',
    '',
  ]);
  const other = await signedInPerson(app);
  for (const end of ['', 'csv/'])
    expect((await request({ url: `${url}${end}`, token: other.token })).status).toBe(404);
});

test('red is acknowledged once, by its owner, and the timeline and the audit log say so', async () => {
  const { person, deploymentId } = await tradedDeployment(app);
  await insertExpectedRange(records.database, deploymentId as DeploymentId);
  const { token } = person;
  const acknowledge = (by = token) =>
    request({ method: 'POST', url: `/api/deployments/${deploymentId}/acknowledge/`, token: by });
  expect((await acknowledge()).body, 'green: nothing to do').toMatchObject({ tripwire_since: null });
  await rows(
    `update deployments set tripwire_state = 'red', tripwire_choice = 'exits_only', tripwire_since = now(), revision = revision + 1
     where id = $1`,
    deploymentId,
  );
  const { body: red } = await request({ url: `/api/deployments/${deploymentId}/`, token });
  expect(red.status_reason).toContain('worse than its published record');
  expect((await acknowledge((await signedInPerson(app)).token)).status).toBe(404);
  const { status, body } = await acknowledge();
  expect([status, body.tripwire_state, body.status_reason]).toEqual([200, 'green', null]);
  expect((await acknowledge()).body.tripwire_since).toBe(body.tripwire_since);
  const [evidence] = await rows<{ acknowledged: number; days: number }>(
    `select acknowledged, (evidence->>'days')::int as days from tripwire_evidence where deployment_id = $1`,
    deploymentId,
  );
  expect(evidence).toEqual({ acknowledged: 1, days: 0 });
  const { body: timeline } = await request({ url: `/api/deployments/${deploymentId}/decisions/`, token });
  const told = timeline.entries.filter(({ title }: { title: string }) => title === 'Acknowledged');
  expect(told).toHaveLength(1);
  const audited = await rows<{ actor: string; details: string }>(
    `select actor, details from audit_log where subject = $1 and details like '%tripwire_state%' order by seq`,
    `deployment:${deploymentId}`,
  );
  expect(JSON.parse(audited.at(-1)!.details)).toEqual({
    from: { tripwire_state: 'red' },
    to: { tripwire_state: 'green' },
  });
  expect(audited.at(-1)!.actor).toBe(`client:${person.id}`);
});

test('the choice is changed in the settings, and stays where nothing is said of it', async () => {
  const { person, deploymentId } = await tradedDeployment(app);
  const change = (body: object) =>
    request({
      method: 'PATCH',
      url: `/api/deployments/${deploymentId}/settings/`,
      token: person.token,
      body,
    });
  expect((await change({ tripwire_choice: 'exits_only' })).body.tripwire_choice).toBe('exits_only');
  expect((await change({ stop_loss_percentage: 12 })).body.tripwire_choice).toBe('exits_only');
  const refused = await change({ tripwire_choice: 'sell everything' });
  expect([refused.status, refused.body.field]).toEqual([400, 'tripwire_choice']);
  expect(refused.body.message).toContain('Choose notify, exits_only or halve');
});
