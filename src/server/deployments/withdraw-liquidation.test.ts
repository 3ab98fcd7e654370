import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { giveRole } from '#tests/support/give-role.ts';
import { testApp } from '#tests/support/test-app.ts';
import { tradedDeployment } from '#tests/support/test-deployment.ts';
import { signedInPerson } from '#tests/support/test-person.ts';
import { decide, propose } from '#tests/support/two-people.ts';

const app = await testApp();
const { request, records } = app;
const liquidate = (id: string, token: string) =>
  request({ method: 'POST', url: `/api/deployments/${id}/liquidate/`, token });

test('a request says by when support decides, and is withdrawn until then, with what one of them proposes', async () => {
  const { person, deploymentId } = await tradedDeployment(app);
  const withdraw = () =>
    request({
      method: 'POST',
      url: `/api/deployments/${deploymentId}/liquidate/withdraw/`,
      token: person.token,
    });
  const asked = await liquidate(deploymentId, person.token);
  expect(Date.parse(asked.body.liquidation_decide_by)).toBeGreaterThan(app.world.now);
  const [sue, bob] = [await signedInPerson(app), await signedInPerson(app)];
  await giveRole(records, sue, 'support');
  await giveRole(records, bob, 'support');
  const { rows } = await records.pool.query<{ id: string }>(
    `select id from liquidation_requests where deployment_id = $1`,
    [deploymentId],
  );
  const proposed = await propose(app, sue, { action: 'liquidate', subject: rows[0]!.id });
  expect(await withdraw()).toMatchObject({
    status: 200,
    body: { liquidation_decide_by: null, requested_status: null },
  });
  expect((await withdraw()).status).toBe(200);
  expect((await decide(app, bob, { id: proposed.body.id })).status).toBe(409);
  expect(
    (await request({ url: `/api/deployments/${deploymentId}/`, token: person.token })).body.requested_status,
  ).toBeNull();
  expect((await liquidate(deploymentId, person.token)).status).toBe(200);
});

test('of a withdrawal and an approval at once, one counts', async () => {
  const [sue, bob] = [await signedInPerson(app), await signedInPerson(app)];
  await giveRole(records, sue, 'support');
  await giveRole(records, bob, 'support');
  for (let round = 0; round < 4; round++) {
    const { person, deploymentId } = await tradedDeployment(app);
    await liquidate(deploymentId, person.token);
    const { rows } = await records.pool.query<{ id: string }>(
      `select id from liquidation_requests where deployment_id = $1`,
      [deploymentId],
    );
    const proposed = await propose(app, sue, { action: 'liquidate', subject: rows[0]!.id });
    const [withdrawn, approved] = await Promise.all([
      request({
        method: 'POST',
        url: `/api/deployments/${deploymentId}/liquidate/withdraw/`,
        token: person.token,
      }),
      decide(app, bob, { id: proposed.body.id }),
    ]);
    expect([withdrawn.status, approved.status].toSorted()).toEqual([200, 409]);
    const after = await records.pool.query(
      `select d.requested_status, r.status from deployments d join liquidation_requests r on r.deployment_id = d.id
       where d.id = $1`,
      [deploymentId],
    );
    expect(after.rows).toEqual([
      withdrawn.status === 200
        ? { requested_status: null, status: 'withdrawn' }
        : { requested_status: 'liquidated', status: 'approved' },
    ]);
  }
});

test('an approval that meets a withdrawal half way waits for it, and neither ends in a deadlock', async () => {
  const [sue, bob] = [await signedInPerson(app), await signedInPerson(app)];
  await giveRole(records, sue, 'support');
  await giveRole(records, bob, 'support');
  const { person, deploymentId } = await tradedDeployment(app);
  await liquidate(deploymentId, person.token);
  const { rows } = await records.owner.query<{ id: string }>(
    `select id from liquidation_requests where deployment_id = $1`,
    [deploymentId],
  );
  const proposed = await propose(app, sue, { action: 'liquidate', subject: rows[0]!.id });
  const withdrawal = await records.owner.connect();
  await withdrawal.query('begin');
  await withdrawal.query('select from deployments where id = $1 for update', [deploymentId]);
  const approval = decide(app, bob, { id: proposed.body.id });
  for (;;) {
    const { rowCount } = await records.owner.query(
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    if (rowCount! > 0) break;
    await pause(5);
  }
  await withdrawal.query(
    `update liquidation_requests set status = 'withdrawn', decided_by = $2, decided_at = now() where deployment_id = $1`,
    [deploymentId, person.id],
  );
  await withdrawal.query('commit');
  withdrawal.release();
  expect((await approval).status).toBe(409);
});
