import { expect, test } from 'vitest';
import { giveRole } from '#tests/support/give-role.ts';
import { shownNotices } from '#tests/support/shown-notices.ts';
import { testApp } from '#tests/support/test-app.ts';
import { newDeployment } from '#tests/support/test-deployment.ts';
import { signedInPerson } from '#tests/support/test-person.ts';
import { agree, decide, propose } from '#tests/support/two-people.ts';
import { AGREEMENT_VERSIONS, changesSince } from '#rules/agreements/agreement-versions.ts';
import { longDate } from '#rules/long-date.ts';
import { AGREEMENT_VERSION } from '#rules/provider.ts';
import { DAY_MS, type IsoDate } from '#units/instant.ts';
import { remindOfAgreement } from './remind-of-agreement.ts';

const app = await testApp();
const { pool } = app.records;
const rows = async (query: string, ...values: unknown[]) => (await pool.query(query, values)).rows;
const remind = (days = 0) =>
  remindOfAgreement({ records: app.records, now: () => (app.dependencies.now() + days * DAY_MS) as never });
const onDay = (days: number) => new Date(app.dependencies.now() + days * DAY_MS).toISOString().slice(0, 10);

/** A client whose signature is of the version before. */
async function signedBefore() {
  const { person, deploymentId } = await newDeployment(app);
  await rows(`update agreements set version = '2026-11' where user_id = $1`, person.id);
  return { ...person, deploymentId };
}

test('who signed an older version sees what is new, and needs the new one to resume, deploy and promote', async () => {
  const ana = await signedBefore();
  const me = await app.request({ method: 'GET', url: '/api/auth/me/', token: ana.token });
  expect(me.body).toMatchObject({
    is_agreement_signed: false,
    agreement_change: {
      signed_version: '2026-11',
      version: AGREEMENT_VERSION,
      changes: changesSince('2026-11'),
      sign_by: null,
      is_over: false,
    },
  });
  await rows(`update deployments set status = 'paused' where id = $1`, ana.deploymentId);
  const resumed = await app.request({
    method: 'POST',
    url: `/api/deployments/${ana.deploymentId}/resume/`,
    token: ana.token,
    body: {},
  });
  expect(resumed).toMatchObject({ status: 422, body: { code: 'agreement_unsigned' } });
});

test('they are told once, reminded once, and no more after they have signed', async () => {
  const ana = await signedBefore();
  for (const days of [0, 0, 13, 15, 20]) await remind(days);
  const notices = await shownNotices({ pool }, 'user_id = $1', ana.id);
  const about = notices.filter(({ title }) => /agreement/.test(title));
  expect(about.map(({ title }) => title)).toEqual([
    'The investment agreement has changed',
    'The new investment agreement waits for your signature',
  ]);
  for (const sentence of AGREEMENT_VERSIONS[0]!.changes) expect(about[0]!.message).toContain(sentence);
  await rows(`update agreements set version = $2 where user_id = $1`, ana.id, AGREEMENT_VERSION);
  await remind(400);
  expect(await shownNotices({ pool }, 'user_id = $1', ana.id)).toHaveLength(notices.length);
});

test('two people set the day to sign by, at least 30 days ahead, and clients are told', async () => {
  const ana = await signedBefore();
  const [sue, bob] = [await signedInPerson(app), await signedInPerson(app)];
  for (const one of [sue, bob]) await giveRole(app.records, one, 'support');
  const wanted = { action: 'require_signature', subject: AGREEMENT_VERSION } as const;
  const soon = await propose(app, sue, { ...wanted, until: onDay(20) });
  expect(soon).toMatchObject({ status: 422, body: { code: 'out_of_range', field: 'until' } });
  expect(await propose(app, sue, { ...wanted, subject: 'another', until: onDay(40) })).toMatchObject({
    status: 404,
  });
  const proposed = await propose(app, sue, { ...wanted, until: onDay(40) });
  expect(proposed.status, proposed.text).toBe(201);
  expect(await decide(app, sue, { id: proposed.body.id })).toMatchObject({ status: 403 });
  expect(await rows('select * from agreement_deadlines')).toEqual([]);
  expect(await decide(app, bob, { id: proposed.body.id })).toMatchObject({ status: 200 });
  const desk = await app.request({ method: 'GET', url: '/api/operations/', token: sue.token });
  expect(desk.body.agreement).toMatchObject({
    version: AGREEMENT_VERSION,
    sign_by: `${onDay(40)}T00:00:00.000Z`,
  });
  for (const days of [0, 34, 41]) await remind(days);
  const titles = (await shownNotices({ pool }, 'user_id = $1', ana.id)).map(({ title }) => title);
  expect(titles).toEqual(
    expect.arrayContaining([
      `Please sign the new agreement by ${longDate(onDay(40) as IsoDate)}`,
      `A week is left to sign: ${longDate(onDay(40) as IsoDate)}`,
      'No new positions: the new agreement is not signed',
    ]),
  );
  await agree(app, [sue, bob], { ...wanted, until: onDay(60) });
  expect((await rows('select sign_by from agreement_deadlines'))[0].sign_by.toISOString()).toBe(
    `${onDay(60)}T00:00:00.000Z`,
  );
});
