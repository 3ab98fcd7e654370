import { requestStatus, setStatus } from '#tests/support/deployment-commands.ts';
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { testApp } from '../../../tests/support/test-app.ts';
import { newDeployment, tradedDeployment } from '../../../tests/support/test-deployment.ts';
import { signedInPerson } from '../../../tests/support/test-person.ts';

const app = await testApp();
const { request, records } = app;
const liquidate = (id: string, token: string) =>
  request({ method: 'POST', url: `/api/deployments/${id}/liquidate/`, token });
const notices = async (id: string) =>
  (await records.pool.query('select kind from notifications where deployment_id = $1', [id])).rows;

test('a request is recorded once, shown, notified, and sells nothing', async () => {
  const { person, deploymentId } = await tradedDeployment(app);
  const before = await request({ url: `/api/deployments/${deploymentId}/`, token: person.token });
  expect(before.body.liquidation_requested_at).toBeNull();
  const asked = await liquidate(deploymentId, person.token);
  expect(asked).toMatchObject({
    status: 200,
    body: { status: 'active', requested_status: null, liquidation_requested_at: '2026-01-05T15:00:00.000Z' },
  });
  expect((await liquidate(deploymentId, person.token)).body).toEqual(asked.body);
  expect(await notices(deploymentId)).toEqual([{ kind: 'liquidation_requested' }]);
  const { rows } = await records.pool.query('select status from liquidation_requests');
  expect(rows).toEqual([{ status: 'open' }]);
});

test('what has not begun, and what has ended, cannot be liquidated', async () => {
  const { person, deploymentId } = await newDeployment(app);
  expect(await liquidate(deploymentId, person.token)).toMatchObject({
    status: 409,
    body: { code: 'illegal_move', message: expect.stringContaining('has not started') },
  });
  await setStatus(records.pool, deploymentId, 'stopped');
  expect((await liquidate(deploymentId, person.token)).status).toBe(409);
});

test('what support has approved is not undone by another command', async () => {
  const { person, deploymentId } = await tradedDeployment(app);
  await requestStatus(records.pool, deploymentId, 'liquidated');
  for (const action of ['pause', 'stop', 'liquidate']) {
    const url = `/api/deployments/${deploymentId}/${action}/`;
    expect(await request({ method: 'POST', url, token: person.token })).toMatchObject({
      status: 409,
      body: { code: 'illegal_move', message: expect.stringContaining('approved') },
    });
  }
});

test("someone else's deployment is like an absent one, and stays as it is", async () => {
  const { deploymentId } = await tradedDeployment(app);
  const { token } = await signedInPerson(app);
  const theirs = await liquidate(deploymentId, token);
  expect(theirs.status).toBe(404);
  expect(theirs.text).toBe((await liquidate(randomUUID(), token)).text);
  expect(await notices(deploymentId)).toEqual([]);
});
