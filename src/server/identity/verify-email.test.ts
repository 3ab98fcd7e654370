import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { insertNotifications } from '#records/notifications/notifications-outbox.ts';
import { deliverMails } from '#tests/support/deliver-mails.ts';
import { testApp } from '#tests/support/test-app.ts';
import { PASSWORD } from '#tests/support/test-person.ts';
import type { NotificationId, UserId } from '#units/identifiers.ts';
import { HOUR_MS, instant, MINUTE_MS } from '#units/instant.ts';

const app = await testApp();
const { world, dependencies, request } = app;
const NAME = 'Call +1 900 555 to claim your prize';

/** Registered with a name that is a message, at an address that may be somebody else's. */
async function newcomer() {
  const email = `${randomUUID()}@example.test`;
  const body = { email, password: PASSWORD, confirm_password: PASSWORD, first_name: NAME };
  const { body: made } = await request({ method: 'POST', url: '/api/auth/register/', body });
  const url = '/api/auth/login/';
  const { body: session } = await request({ method: 'POST', url, body: { email, password: PASSWORD } });
  return { email, id: made.id as string, token: session.token as string };
}

async function mailsTo(email: string) {
  await deliverMails(dependencies);
  return world.mails.filter(({ to }) => to === email);
}
const tokenIn = (text: string) =>
  /^http:\/\/product\.test\/(?:verify-email|reset-password)\?token=([\w-]+)$/m.exec(text)![1]!;
const verify = (token: string) =>
  request({ method: 'POST', url: '/api/auth/email/verify/', body: { token } });
const isVerified = async (token: string) =>
  (await request({ url: '/api/auth/me/', token })).body.is_email_verified as boolean;

const notify = (userId: string) =>
  insertNotifications(app.records.database, [
    {
      id: randomUUID() as string as NotificationId,
      userId: userId as UserId,
      deploymentId: null,
      facts: { kind: 'resumed', strategyName: 'Calm Trend' },
      cause: randomUUID(),
      at: instant(world.now),
    },
  ]);

test('until the link is followed, no mail carries a word that somebody chose, and no notice is mailed', async () => {
  const { email, id, token } = await newcomer();
  expect(await isVerified(token)).toBe(false);
  await notify(id);
  await request({ method: 'POST', url: '/api/auth/password/reset/', body: { email } });
  const mails = await mailsTo(email);
  expect(mails.map(({ subject }) => subject).toSorted()).toEqual([
    'Reset your Bellwether password',
    'Verify your e-mail address for Bellwether',
  ]);
  for (const { subject, text } of mails) expect(subject + text).not.toContain('900 555');
  const notices = await request({ url: '/api/notifications/', token });
  expect(notices.body, 'the bell has it').toHaveLength(1);

  const link = tokenIn(mails.find(({ subject }) => subject.startsWith('Verify'))!.text);
  expect((await verify(link)).status).toBe(204);
  expect((await verify(link)).status, 'opened again').toBe(204);
  expect(await isVerified(token)).toBe(true);
  await notify(id);
  const after = await mailsTo(email);
  expect(after).toHaveLength(3);
  expect(after[2]!.text).toContain(`Hello ${NAME},`);
});

test('the link can be sent again, three times in a quarter of an hour, and not to a verified address', async () => {
  const { email, token } = await newcomer();
  const again = () => request({ method: 'POST', url: '/api/auth/email/send_link/', token });
  for (let i = 0; i < 4; i++) expect((await again()).status).toBe(204);
  const mails = await mailsTo(email);
  expect(mails).toHaveLength(3);
  world.now = instant(world.now + 16 * MINUTE_MS);
  const renewed = await request({
    method: 'POST',
    url: '/api/auth/login/',
    body: { email, password: PASSWORD },
  });
  const send = () =>
    request({ method: 'POST', url: '/api/auth/email/send_link/', token: renewed.body.token });
  await send();
  expect(await mailsTo(email)).toHaveLength(4);
  expect((await verify(tokenIn(mails[0]!.text))).status, 'an earlier link works too').toBe(204);
  await send();
  expect(await mailsTo(email)).toHaveLength(4);
});

test('a link is over after a day, and a reset link verifies as well', async () => {
  const { email } = await newcomer();
  const [mail] = await mailsTo(email);
  world.now = instant(world.now + 24 * HOUR_MS);
  expect(await verify(tokenIn(mail!.text))).toMatchObject({ status: 400, body: { code: 'invalid_token' } });
  await request({ method: 'POST', url: '/api/auth/password/reset/', body: { email } });
  const reset = tokenIn((await mailsTo(email)).at(-1)!.text);
  const password = 'another long one';
  const body = { token: reset, new_password: password, confirm_new_password: password };
  expect((await request({ method: 'POST', url: '/api/auth/password/reset/confirm/', body })).status).toBe(
    204,
  );
  const { body: session } = await request({
    method: 'POST',
    url: '/api/auth/login/',
    body: { email, password },
  });
  expect(session.user.is_email_verified).toBe(true);
});
