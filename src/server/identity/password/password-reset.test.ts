import { expect, test } from 'vitest';
import { deliverMails } from '#tests/support/deliver-mails.ts';
import { testApp } from '#tests/support/test-app.ts';
import { PASSWORD, signedInPerson } from '#tests/support/test-person.ts';
import { instant, MINUTE_MS } from '#units/instant.ts';

const app = await testApp();
const { request, world, dependencies } = app;
const pass = (ms: number) => {
  world.now = instant(world.now + ms);
};
const ask = (email: string) => request({ method: 'POST', url: '/api/auth/password/reset/', body: { email } });
const confirm = (token: string, password = 'a brand new one', again = password) =>
  request({
    method: 'POST',
    url: '/api/auth/password/reset/confirm/',
    body: { token, new_password: password, confirm_new_password: again },
  });
const login = (email: string, password: string) =>
  request({ method: 'POST', url: '/api/auth/login/', body: { email, password } });

/** The tokens from the mails sent to an address, oldest first. */
const tokensFor = (email: string) =>
  world.mails
    .filter(({ to }) => to === email)
    .map(({ text }) => /^http:\/\/product\.test\/reset-password\?token=([\w-]+)$/m.exec(text)![1]!);

async function mailedToken(email: string): Promise<string> {
  expect((await ask(email.toUpperCase())).status).toBe(204);
  await deliverMails(dependencies);
  return tokensFor(email).at(-1)!;
}

test('a mailed link sets a new password once and ends every session', async () => {
  const { email, token: session, refresh } = await signedInPerson(app);
  const token = await mailedToken(email);
  expect((await confirm(token)).status).toBe(204);
  pass(999);
  expect((await request({ url: '/api/auth/me/', token: session })).status).toBe(401);
  const renewed = await request({ method: 'POST', url: '/api/auth/token/refresh/', body: { refresh } });
  expect(renewed.status).toBe(401);
  expect((await login(email, PASSWORD)).status).toBe(401);
  expect((await login(email, 'a brand new one')).status).toBe(200);
  expect(await confirm(token, 'another good one')).toMatchObject({
    status: 400,
    body: { code: 'invalid_token' },
  });
});

test('an unknown e-mail gets the same answer, and no mail is sent', async () => {
  const { email } = await signedInPerson(app);
  const known = await ask(email);
  const unknown = await ask('nobody@example.test');
  expect(unknown).toMatchObject({ status: known.status, text: known.text });
  await deliverMails(dependencies);
  expect(tokensFor('nobody@example.test')).toEqual([]);
  expect(tokensFor(email)).toHaveLength(1);
});

test('the token is only in the mail: the database stores its hash', async () => {
  const { email, id } = await signedInPerson(app);
  const token = await mailedToken(email);
  const { rows } = await app.records.pool.query(
    'select p.*, m.* from password_resets p join mails m using (user_id) where user_id = $1',
    [id],
  );
  expect(rows).toHaveLength(1);
  expect(JSON.stringify(rows)).not.toContain(token);
  expect(rows[0].status).toBe('sent');
});

test.each([
  [
    'after thirty minutes',
    async (email: string) => {
      const token = await mailedToken(email);
      pass(30 * MINUTE_MS);
      return token;
    },
  ],
  [
    'once a newer one was used',
    async (email: string) => {
      const older = await mailedToken(email);
      expect((await confirm(await mailedToken(email))).status).toBe(204);
      return older;
    },
  ],
  [
    'once the password was changed otherwise',
    async (email: string) => {
      const token = await mailedToken(email);
      const session = (await login(email, PASSWORD)).body.token;
      await request({
        method: 'POST',
        url: '/api/auth/password/change/',
        token: session,
        body: { old_password: PASSWORD, new_password: 'changed by hand' },
      });
      return token;
    },
  ],
  ['when it never was one', async () => 'made-up'],
])('a link is refused %s', async (_when, makeToken) => {
  const { email } = await signedInPerson(app);
  expect(await confirm(await makeToken(email))).toMatchObject({
    status: 400,
    body: { code: 'invalid_token' },
  });
});

test('of two concurrent uses, only one sets the password', async () => {
  const { email } = await signedInPerson(app);
  const token = await mailedToken(email);
  const answers = await Promise.all([confirm(token, 'the first one'), confirm(token, 'the second one')]);
  expect(answers.map(({ status }) => status).sort()).toEqual([204, 400]);
});

test('a form error is named, and the link stays valid', async () => {
  const { email } = await signedInPerson(app);
  const token = await mailedToken(email);
  expect(await confirm(token, 'a brand new one', 'a brand new two')).toMatchObject({
    status: 422,
    body: { code: 'passwords_differ', field: 'confirm_new_password' },
  });
  expect(await confirm(token, 'short')).toMatchObject({ status: 400, body: { field: 'new_password' } });
  expect(await confirm('')).toMatchObject({ status: 400, body: { field: 'token' } });
  expect(await ask('nobody')).toMatchObject({ status: 400, body: { field: 'email' } });
  expect((await confirm(token)).status).toBe(204);
});

test('a mailbox cannot be flooded: at most three mails in 15 minutes', async () => {
  const { email } = await signedInPerson(app);
  for (let i = 0; i < 5; i++) expect((await ask(email)).status).toBe(204);
  await deliverMails(dependencies);
  expect(tokensFor(email)).toHaveLength(3);
  pass(15 * MINUTE_MS);
  await ask(email);
  await deliverMails(dependencies);
  expect(tokensFor(email)).toHaveLength(4);
});

test('a mail with a transient failure is retried; one of unknown fate is not', async () => {
  const { email } = await signedInPerson(app);
  world.mailOutcome = { outcome: 'refused', mayPass: true, reason: '451 later' };
  await ask(email);
  await deliverMails(dependencies);
  world.mailOutcome = { outcome: 'unknown', reason: 'it hung up' };
  expect(await deliverMails(dependencies)).toBe(0);
  expect(await deliverMails(dependencies, { later: true })).toBe(1);
  world.mailOutcome = { outcome: 'sent' };
  expect(await deliverMails(dependencies, { later: true })).toBe(0);
  expect(tokensFor(email)).toEqual([]);
});

test('a mail whose sender was killed is not sent a second time', async () => {
  const { email, id } = await signedInPerson(app);
  await ask(email);
  const { pool } = app.records;
  const killed = new Error('the worker was killed');
  const mail = { send: () => Promise.reject(killed) };
  await expect(deliverMails({ ...dependencies, mail })).rejects.toThrow(killed);
  expect(await deliverMails(dependencies, { later: true })).toBe(0);
  expect(tokensFor(email)).toEqual([]);
  const { rows } = await pool.query('select status from mails where user_id = $1', [id]);
  expect(rows).toEqual([{ status: 'unknown' }]);
});
