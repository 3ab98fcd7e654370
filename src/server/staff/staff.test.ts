import { randomUUID } from 'node:crypto';
import { afterAll, expect, test } from 'vitest';
import { createApp } from '#server/app.ts';
import { deliverMails } from '#tests/support/deliver-mails.ts';
import { giveRole } from '#tests/support/give-role.ts';
import { twoFactorPerson } from '#tests/support/second-factor.ts';
import { testApp } from '#tests/support/test-app.ts';
import { PASSWORD, signedInPerson, type TestPerson } from '#tests/support/test-person.ts';
import { HOUR_MS, instant } from '#units/instant.ts';

// Where a broker is real: staff without a second factor reach nothing but their account.
const app = await testApp({ staffNeedSecondFactor: true });
const { world, dependencies } = app;
const other = await createApp(dependencies);
afterAll(() => other.close());
const post = (url: string, token: string | undefined, body?: object) =>
  app.request({ method: 'POST', url, ...(token !== undefined && { token }), ...(body && { body }) });
const pass = (ms: number) => {
  world.now = instant(world.now + ms);
};

async function admin(): Promise<TestPerson> {
  const person = await twoFactorPerson(app);
  await giveRole(app.records, person, 'admin');
  return person;
}
const ada = await admin();

const invite = (email: string, role = 'support', token = ada.token) =>
  post('/api/staff/invitations/', token, { email, role });

/** The tokens of the links mailed to an address, oldest first. */
async function linksTo(email: string): Promise<string[]> {
  await deliverMails(dependencies);
  return world.mails
    .filter(({ to }) => to === email)
    .map(({ text }) => /^http:\/\/product\.test\/invitation\?token=([\w-]+)$/m.exec(text)![1]!);
}

const accept = (token: string, password = PASSWORD) =>
  post('/api/staff/invitations/accept/', undefined, {
    token,
    first_name: 'Sue',
    password,
    confirm_password: password,
  });
const signIn = (email: string, password = PASSWORD) =>
  post('/api/auth/login/', undefined, { email, password });
const staff = async () => (await app.request({ url: '/api/staff/', token: ada.token })).body;

async function colleague(role: 'support' | 'admin'): Promise<TestPerson> {
  const person = await twoFactorPerson(app);
  await giveRole(app.records, person, role);
  return person;
}

test('an invitation is a mailed link: it sets the password and leads to the second factor, once', async () => {
  const email = `${randomUUID()}@example.test`;
  expect(await invite(email.toUpperCase())).toMatchObject({ status: 201, body: { email, role: 'support' } });
  const [token] = await linksTo(email);
  expect(world.mails.find(({ to }) => to === email)!.text).not.toContain('Ada');
  expect((await staff()).invitations).toMatchObject([{ email, invited_by: ada.email, is_expired: false }]);
  expect((await accept(token!, 'qwertyuiop12')).status, 'a weak password').toBe(422);
  expect(await accept(token!)).toMatchObject({ status: 201, body: { email } });
  expect(await accept(token!)).toMatchObject({ status: 400, body: { code: 'invalid_token' } });
  const { body } = await signIn(email);
  expect(body.user).toMatchObject({ role: 'support', is_email_verified: true });
  const desk = () => app.request({ url: '/api/operations/', token: body.token });
  expect(await desk()).toMatchObject({ status: 403, body: { code: 'second_factor_required' } });
  await twoFactorPerson(app, { id: body.user.id, email, token: body.token, refresh: '' });
  pass(1_000);
  expect((await desk()).status).toBe(200);
  expect((await staff()).invitations).toEqual([]);
  expect((await staff()).staff).toContainEqual(
    expect.objectContaining({ email, role: 'support', has_second_factor: true, is_disabled: false }),
  );
  const { rows } = await app.records.pool.query(
    `select actor, action, details from audit_log where action like 'staff_invitation.%' order by seq`,
  );
  expect(rows.map(({ actor, action }) => [actor, action])).toEqual([
    [`staff:${ada.email}`, 'staff_invitation.created'],
    [`staff:${email}`, 'staff_invitation.changed'],
  ]);
});

test('the token is in the mail alone, and of two who use it at once one becomes staff', async () => {
  const email = `${randomUUID()}@example.test`;
  await invite(email);
  const [token] = await linksTo(email);
  const { rows } = await app.records.pool.query('select * from staff_invitations where email = $1', [email]);
  expect(JSON.stringify(rows)).not.toContain(token);
  const answers = await Promise.all([accept(token!), accept(token!), accept(token!)]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 400, 400]);
});

test('a link that is withdrawn, replaced or a day old invites nobody', async () => {
  const email = `${randomUUID()}@example.test`;
  const { body } = await invite(email);
  const [first] = await linksTo(email);
  const url = `/api/staff/invitations/${body.id}/`;
  const withdraw = () => app.request({ method: 'DELETE', url, token: ada.token });
  expect((await withdraw()).status).toBe(204);
  expect((await withdraw()).status).toBe(404);
  expect((await accept(first!)).status).toBe(400);
  await invite(email);
  const second = (await linksTo(email)).at(-1)!;
  await invite(email, 'provider');
  const third = (await linksTo(email)).at(-1)!;
  expect((await accept(second)).status).toBe(400);
  pass(24 * HOUR_MS);
  expect((await accept(third)).status).toBe(400);
  expect((await signIn(email)).status).toBe(401);
});

test('whoever has an account does not become staff by it, before the invitation or after', async () => {
  const admin = await signInAgain();
  const stranger = await signedInPerson(app);
  expect(await invite(stranger.email, 'support', admin)).toMatchObject({
    status: 409,
    body: { code: 'email_taken', field: 'email' },
  });
  const email = `${randomUUID()}@example.test`;
  await invite(email, 'support', admin);
  const [token] = await linksTo(email);
  const registration = { email, password: PASSWORD, confirm_password: PASSWORD, first_name: 'Eve' };
  expect((await post('/api/auth/register/', undefined, registration)).status).toBe(201);
  expect(await accept(token!)).toMatchObject({ status: 409, body: { code: 'email_taken' } });
  const { rows } = await app.records.pool.query('select role from users where email = $1', [email]);
  expect(rows).toEqual([{ role: 'investor' }]);
});

/** A day has passed: her session is over. */
async function signInAgain(): Promise<string> {
  const person = await admin();
  Object.assign(ada, person);
  return person.token;
}

test('a disabled account is out within a second, cannot sign in or reset, and comes back as it was', async () => {
  const bob = await colleague('support');
  const desk = () => app.request({ url: '/api/operations/', token: bob.token });
  expect((await desk()).status).toBe(200);
  const change = (what: string) => post(`/api/staff/${bob.id}/${what}/`, ada.token);
  expect((await change('disable')).status).toBe(204);
  pass(999);
  expect((await desk()).status).toBe(401);
  expect(await signIn(bob.email)).toMatchObject({ status: 403, body: { code: 'account_disabled' } });
  expect((await signIn(bob.email, 'a wrong password')).status, 'says nothing to strangers').toBe(401);
  const renewed = await post('/api/auth/token/refresh/', undefined, { refresh: bob.refresh });
  expect(renewed.status).toBe(401);
  await post('/api/auth/password/reset/', undefined, { email: bob.email });
  await deliverMails(dependencies);
  const subjects = world.mails.filter(({ to }) => to === bob.email).map(({ subject }) => subject);
  expect(subjects, 'no link to a new password').toEqual(['Bellwether: Authenticator app turned on']);
  expect((await change('enable')).status).toBe(204);
  expect(await signIn(bob.email)).toMatchObject({ status: 401, body: { code: 'code_required' } });
});

test('a role that is taken away leaves a client, and nobody changes their own account', async () => {
  const bob = await colleague('support');
  const halt = { scope: 'client', target: bob.email, cancels_orders: true, reason: 'prices look wrong' };
  expect((await post('/api/operations/kill-switches/', bob.token, halt)).status).toBe(201);
  expect((await post(`/api/staff/${bob.id}/take_role/`, ada.token)).status).toBe(204);
  pass(999);
  expect((await app.request({ url: '/api/operations/', token: bob.token })).status).toBe(401);
  const { rows } = await app.records.pool.query('select role from users where id = $1', [bob.id]);
  expect(rows).toEqual([{ role: 'investor' }]);
  const proposed = await app.records.pool.query('select status from proposals where proposed_by = $1', [
    bob.id,
  ]);
  expect(proposed.rows, 'nobody approves what is left of them').toEqual([{ status: 'void' }]);
  expect((await post(`/api/staff/${bob.id}/take_role/`, ada.token)).status, 'no staff any more').toBe(404);
  for (const what of ['take_role', 'disable', 'enable'])
    expect((await post(`/api/staff/${ada.id}/${what}/`, ada.token)).status).toBe(403);
});

test('of two admins who disable each other at once, one is left', async () => {
  const eve = await colleague('admin');
  const answers = await Promise.all([
    post(`/api/staff/${eve.id}/disable/`, ada.token),
    post(`/api/staff/${ada.id}/disable/`, eve.token),
  ]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([204, 404]);
  const { rows } = await app.records.pool.query(
    `select id from users where id = any($1::uuid[]) and disabled_at is null`,
    [[ada.id, eve.id]],
  );
  expect(rows).toHaveLength(1);
});
