import { beforeEach, expect, test } from 'vitest';
import type { AlarmOutcome, SentAlarm } from '#ports/alarm-receiver.ts';
import { endIncident, openIncident } from '#records/incidents/incidents.ts';
import { listDeadLetters } from '#records/jobs/dead-letters.ts';
import { deliverMails } from '#tests/support/deliver-mails.ts';
import { runJobs } from '#tests/support/run-jobs.ts';
import { testApp } from '#tests/support/test-app.ts';
import { wallInstantOf } from '#units/wall-instant.ts';
import { type AlarmDependencies, alarmHandler } from './deliver-alarm.ts';

const app = await testApp();
const { database, pool } = app.records;
const at = wallInstantOf(app.world.now);
const sent: SentAlarm[] = [];
let outcome: AlarmOutcome = { outcome: 'taken' };
const all: AlarmDependencies = {
  ...app.dependencies,
  operatorEmail: 'night@example.test',
  alarmReceiver: {
    async send(alarm) {
      sent.push(alarm);
      return outcome;
    },
  },
};
const work = (dependencies = all, later = false) =>
  runJobs(database, { queue: 'alarms', handler: alarmHandler(dependencies), later });
const mails = async () => {
  await deliverMails(app.dependencies);
  return app.world.mails.splice(0);
};
const silent = (subject: string) => ({ kind: 'trader_silent', subject, facts: {} }) as const;

beforeEach(async () => {
  await pool.query('delete from incidents');
  outcome = { outcome: 'taken' };
  sent.length = 0;
});

test('an incident to act on now alarms once when it opens and once when it ends, to mail and webhook', async () => {
  await openIncident(database, silent('t1'), at);
  await openIncident(database, silent('t1'), at);
  expect(await work()).toBe(1);
  const [alarm] = sent;
  expect(alarm!.id).toMatch(/^[0-9a-f-]{36}:opened$/);
  expect(JSON.parse(alarm!.body)).toMatchObject({
    event: 'incident.opened',
    kind: 'trader_silent',
    title: 'act now: Trader does not run',
    runbook: 'trader-silent',
    link: expect.stringMatching(/^http:\/\/product\.test\/operations#incident-/),
  });
  expect(await mails()).toMatchObject([
    { to: 'night@example.test', subject: 'Bellwether: act now: Trader does not run' },
  ]);
  await endIncident(database, silent('t1'), { how: 'cleared', at });
  await endIncident(database, silent('t1'), { how: 'cleared', at });
  expect(await work()).toBe(1);
  expect(sent.map(({ id }) => id.split(':')[1])).toEqual(['opened', 'ended']);
  expect(await mails()).toMatchObject([{ subject: 'Bellwether: over: Trader does not run' }]);
});

test('what is not to be acted on now leaves the product silently', async () => {
  await openIncident(database, { kind: 'connection_lost', subject: 'c1', facts: { said: '' } }, at);
  await endIncident(database, { kind: 'connection_lost', subject: 'c1' }, { how: 'cleared', at });
  expect(await work()).toBe(0);
});

test('an incident that is rolled back alarms no one', async () => {
  const failed = database.transaction().execute(async (trx) => {
    await openIncident(trx, silent('t2'), at);
    throw new Error('rolled back');
  });
  await expect(failed).rejects.toThrow('rolled back');
  expect(await work()).toBe(0);
});

test('an alarm system that is away gets the same alarm again, and the mail is not repeated', async () => {
  await openIncident(database, silent('t3'), at);
  outcome = { outcome: 'failed', reason: 'status 503' };
  await work();
  await work(all, true);
  expect(new Set(sent.map(({ id }) => id)).size).toBe(1);
  expect(sent).toHaveLength(2);
  expect(await mails()).toHaveLength(1);
  for (let attempt = 3; attempt <= 10; attempt++) await work(all, true);
  expect(await listDeadLetters(database, 10)).toMatchObject([
    { kind: 'alarm', failure: 'alarm_not_taken', detail: 'status 503', attempts: 10 },
  ]);
});

test('many alarms at once are one mail', async () => {
  for (const subject of ['a', 'b', 'c']) await openIncident(database, silent(subject), at);
  await work();
  expect(await mails()).toMatchObject([{ subject: 'Bellwether: 3 to act on now' }]);
});

test('without an address and a receiver an alarm is done', async () => {
  await openIncident(database, silent('t4'), at);
  expect(await work({ ...all, operatorEmail: null, alarmReceiver: null })).toBe(1);
  expect([sent, await mails()]).toEqual([[], []]);
});
