import { expect, test } from 'vitest';
import { failForGood } from '../../tests/support/dead-letter.ts';
import { claimed } from '../../tests/support/run-jobs.ts';
import { signedInPerson } from '../../tests/support/test-person.ts';
import { testApp } from '../../tests/support/test-app.ts';
import { bossOn } from '#records/jobs/boss-on.ts';
import { DEAD_LETTERS, type DueWork } from '#records/jobs/queues.ts';
import { instant } from '#units/instant.ts';
import { dueWorkHandler } from './due-work.ts';

const app = await testApp();
const { dependencies, records, request, world } = app;
const look = (work: DueWork) => dueWorkHandler(dependencies)(claimed<'due-work'>({ work }));
const boss = bossOn(records.database);
const keysOf = async (queue: string) =>
  (await boss.findJobs(queue, { queued: true })).map(({ singletonKey }) => singletonKey);

test('a plan whose period has ended is renewed by one job, however often it is looked for', async () => {
  const { token, id } = await signedInPerson(app);
  const chosen = await request({
    method: 'POST',
    url: '/api/billing/plan/',
    token,
    body: { plan: 'pro', interval: 'monthly' },
  });
  expect(chosen.status).toBe(201);
  await look('plans');
  expect(await keysOf('plan-renewals')).toEqual([]);
  const now = world.now;
  world.now = instant(now + 32 * 86_400_000);
  await look('plans');
  await look('plans');
  world.now = now;
  expect(await keysOf('plan-renewals')).toEqual([id]);
});

test('what failed for good is not sent again while a person has not decided', async () => {
  const key = (await keysOf('plan-renewals'))[0]!;
  await failForGood(records.database, 'plan-renewals', { key, output: { detail: 'no answer' } });
  world.now = instant(world.now + 32 * 86_400_000);
  await look('plans');
  expect(await keysOf('plan-renewals')).toEqual([]);
  await boss.redrive(DEAD_LETTERS);
  expect(await keysOf('plan-renewals')).toEqual([key]);
});
