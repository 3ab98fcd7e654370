import { expect, test } from 'vitest';
import type { DeadLetter } from '#contract/operations/operations.ts';
import type { UserId } from '#units/identifiers.ts';
import { runStaffCommand } from '../../processes/staff/staff-command.ts';
import { deliverMails } from '../../../tests/support/deliver-mails.ts';
import { addDeadLetter, failForGood } from '../../../tests/support/dead-letter.ts';
import { postDraft } from '../../../tests/support/post-draft.ts';
import { storeMarket } from '../../../tests/support/committed-strategy.ts';
import { testApp } from '../../../tests/support/test-app.ts';
import { signedInPerson } from '../../../tests/support/test-person.ts';

const app = await testApp();
const { dependencies, records, request, world } = app;
const { database, pool } = records;
await storeMarket(database);
const sue = await signedInPerson(app);
await runStaffCommand({ name: 'create', email: sue.email, role: 'support', firstName: 'S' }, database, null);

async function letters(): Promise<readonly DeadLetter[]> {
  const answer = await request({ url: '/api/operations/', token: sue.token });
  expect(answer.status, answer.text).toBe(200);
  return answer.body.dead_letters.results;
}
const decide = (id: string, decision: string, token = sue.token) =>
  request({
    method: 'POST',
    url: `/api/operations/dead-letters/${id}/decide/`,
    token,
    body: { decision },
  });
const audited = async (id: string) =>
  (await pool.query('select actor, action from audit_log where subject = $1', [`dead_letter:${id}`])).rows;

test('a mail that was refused for good waits for support, and goes out once it is retried', async () => {
  const { email } = await signedInPerson(app);
  await request({ method: 'POST', url: '/api/auth/password/reset/', body: { email } });
  world.mailOutcome = { outcome: 'refused', mayPass: false, reason: '550 no such mailbox' };
  await deliverMails(dependencies);
  const [letter, ...others] = await letters();
  expect(others).toEqual([]);
  expect(letter).toMatchObject({
    kind: 'mail',
    subject: 'password reset',
    client: email,
    failure: 'mail_refused',
    detail: '550 no such mailbox',
    attempts: 1,
  });
  world.mailOutcome = { outcome: 'sent' };
  expect(await deliverMails(dependencies, { later: true })).toBe(0);
  expect(await decide(letter!.id, 'retry')).toMatchObject({ status: 200, body: { decision: 'retry' } });
  expect(await letters()).toEqual([]);
  expect(await deliverMails(dependencies)).toBe(1);
  expect(world.mails.filter(({ to }) => to === email)).toHaveLength(1);
  expect(await audited(letter!.id)).toEqual([{ actor: `staff:${sue.email}`, action: 'dead_letter.created' }]);
});

test('a backtest that was given up waits again once it is retried', async () => {
  const { token, email } = await signedInPerson(app);
  const strategyId = await postDraft(app, token);
  const { body: asked } = await request({
    method: 'POST',
    url: `/api/strategies/${strategyId}/backtests/`,
    token,
    body: { kind: 'backtest' },
  });
  await pool.query(`update backtest_jobs set status = 'failed', message = 'x' where id = $1`, [asked.id]);
  const lost = { value: { message: 'job heartbeat timeout' } };
  const id = await failForGood(database, 'backtests', { key: asked.id, output: lost });
  expect(await letters()).toMatchObject([
    { id, kind: 'backtest', subject: 'Mine', client: email, failure: 'worker_lost' },
  ]);
  expect((await decide(id, 'retry')).status).toBe(200);
  const shown = await request({ url: `/api/backtests/${asked.id}/`, token });
  expect(shown.body).toMatchObject({ status: 'queued', message: null });
});

test('what is discarded is gone, and a second decision names the first', async () => {
  const userId = sue.id as UserId;
  const id = await addDeadLetter(database, 'plan-renewals', {
    data: { userId },
    key: userId,
    output: { code: 'payment_unanswered', detail: 'no answer' },
  });
  expect(await letters()).toMatchObject([{ id, kind: 'plan_renewal', client: sue.email }]);
  expect((await decide(id, 'discard')).status).toBe(200);
  expect((await decide(id, 'discard')).status).toBe(200);
  expect(await letters()).toEqual([]);
  const second = await decide(id, 'retry');
  expect(second).toMatchObject({ status: 409, body: { code: 'already_decided' } });
  expect(second.body.message).toContain(`${sue.email} discarded it`);
});

test('nobody but support sees or decides them', async () => {
  const id = await addDeadLetter(database, 'plan-renewals', {
    data: { userId: sue.id as UserId },
    key: 'x',
    output: {},
  });
  const { token } = await signedInPerson(app);
  expect((await decide(id, 'discard', token)).status).toBe(404);
  expect((await letters()).map((letter) => letter.id)).toEqual([id]);
});
