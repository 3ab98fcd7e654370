import { createHmac, randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import type { WebhookDelivery } from '#contract/webhooks.ts';
import type { WebhookOutcome, WebhookPost } from '#ports/webhook-sender.ts';
import { insertNotifications } from '#records/notifications/notifications-outbox.ts';
import { runJobs } from '#tests/support/run-jobs.ts';
import { testApp } from '#tests/support/test-app.ts';
import { signedInPerson, type TestPerson } from '#tests/support/test-person.ts';
import type { NotificationId, UserId } from '#units/identifiers.ts';
import { DAY_MS, HOUR_MS, instant } from '#units/instant.ts';
import { toMicro } from '#units/money.ts';
import { toQuantity } from '#units/quantity.ts';
import { webhookHandler } from './deliver-webhook.ts';

const app = await testApp();
const { records, request, world } = app;
const URL_OF = 'https://hooks.example.com/bellwether';

const posts: WebhookPost[] = [];
/** The worker's clock may go on while nobody has to sign in again. */
let ahead = 0;
beforeEach(() => {
  ahead = 0;
});
let answer: WebhookOutcome = { outcome: 'answered', status: 200, retryAfterSeconds: null };
const handler = webhookHandler({
  records,
  keys: app.dependencies.keys,
  now: () => instant(world.now + ahead),
  webhooks: {
    async send(post) {
      posts.push(post);
      return answer;
    },
  },
});

/** Makes one attempt at each delivery that is due; answers what was posted. */
async function deliver(
  status: WebhookOutcome = { outcome: 'answered', status: 200, retryAfterSeconds: null },
  later = false,
) {
  answer = status;
  posts.length = 0;
  await runJobs(records.database, { queue: 'webhooks', handler, later });
  return [...posts];
}

async function hooked(news: readonly string[] = ['fills', 'updates']) {
  const person = await signedInPerson(app);
  const { body, text } = await request({
    method: 'POST',
    url: '/api/webhooks/',
    token: person.token,
    body: { url: URL_OF, news },
  });
  expect(body?.secret, text).toMatch(/^whsec_/);
  return { person, id: body.webhook.id as string, secret: body.secret as string };
}

const paused = { kind: 'paused', strategyName: 'Calm Trend', atBroker: [] } as const;
const bought = {
  kind: 'order_filled',
  strategyName: 'Calm Trend',
  side: 'buy',
  quantity: toQuantity(3),
  symbol: 'AAA',
  isProtective: false,
  price: 100,
  currency: 'USD',
  commission: toMicro(1),
  profit: null,
} as never;

async function notify(person: TestPerson, facts: typeof paused, cause: string = randomUUID()) {
  const notice = { userId: person.id as UserId, deploymentId: null, facts, cause, at: world.now };
  await records.database
    .transaction()
    .execute((trx) =>
      insertNotifications(trx, [{ id: randomUUID() as string as NotificationId, ...notice }]),
    );
}

const deliveries = async ({ person, id }: { person: TestPerson; id: string }) =>
  (await request({ url: `/api/webhooks/${id}/deliveries/`, method: 'GET', token: person.token }))
    .body as WebhookDelivery[];

const shown = async ({ person }: { person: TestPerson }) =>
  (await request({ url: '/api/webhooks/', method: 'GET', token: person.token })).body[0];

/** As a receiver does it: the library of Standard Webhooks computes the same. */
const signatureOf = (secret: string, { headers, body }: WebhookPost) =>
  `v1,${createHmac('sha256', Buffer.from(secret.slice(6), 'base64'))
    .update(`${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`)
    .digest('base64')}`;

test('a notice is posted once, signed over id, time and body, and logged', async () => {
  const hook = await hooked();
  await notify(hook.person, paused);
  const [post, ...more] = await deliver();
  expect(more).toEqual([]);
  expect(post!.url).toBe(URL_OF);
  expect(post!.headers['webhook-signature']).toBe(signatureOf(hook.secret, post!));
  expect(Number(post!.headers['webhook-timestamp'])).toBe(Math.floor(world.now / 1000));
  expect(JSON.parse(String(post!.body))).toMatchObject({
    type: 'paused',
    data: { title: 'Trading paused', deployment: null },
  });
  expect(await deliveries(hook)).toMatchObject([
    {
      id: post!.headers['webhook-id'],
      type: 'paused',
      status: 'taken',
      attempts: 1,
      answered: 200,
      problem: null,
    },
  ]);
  expect(await deliver({ outcome: 'answered', status: 200, retryAfterSeconds: null }, true)).toEqual([]);
});

test('a notice that was written twice is one delivery, and only the chosen news is posted', async () => {
  const hook = await hooked(['fills']);
  await notify(hook.person, paused);
  const cause = randomUUID();
  await notify(hook.person, bought, cause);
  await notify(hook.person, bought, cause);
  expect((await deliver()).map(({ body }) => JSON.parse(String(body)).type)).toEqual(['order_filled']);
});

test('what was not taken is posted again under the same id with the same body', async () => {
  const hook = await hooked();
  await notify(hook.person, paused);
  const [first] = await deliver({ outcome: 'answered', status: 500, retryAfterSeconds: null });
  expect(await deliveries(hook)).toMatchObject([{ status: 'waiting', attempts: 1, answered: 500 }]);
  expect((await shown(hook)).failing_since).not.toBeNull();
  ahead += HOUR_MS;
  const [second] = await deliver({ outcome: 'answered', status: 204, retryAfterSeconds: null }, true);
  expect(second!.headers['webhook-id']).toBe(first!.headers['webhook-id']);
  expect(second!.body).toBe(first!.body);
  expect(second!.headers['webhook-timestamp']).not.toBe(first!.headers['webhook-timestamp']);
  expect(await deliveries(hook)).toMatchObject([{ status: 'taken', attempts: 2, answered: 204 }]);
  expect((await shown(hook)).failing_since).toBeNull();
});

test.each([
  [{ outcome: 'answered', status: 302, retryAfterSeconds: null }, 'redirect'],
  [{ outcome: 'failed', code: 'forbidden_address' }, 'private network'],
  [{ outcome: 'failed', code: 'late' }, 'in time'],
] as const)('%j is a failure with its reason in the log', async (outcome, words) => {
  const hook = await hooked();
  await notify(hook.person, paused);
  await deliver(outcome);
  const [delivery] = await deliveries(hook);
  expect(delivery!.problem).toContain(words);
  await deliver({ outcome: 'answered', status: 200, retryAfterSeconds: null }, true);
});

test('after ten attempts a delivery has failed, and nobody of support hears of it', async () => {
  const hook = await hooked();
  await notify(hook.person, paused);
  for (let attempt = 0; attempt < 12; attempt++)
    await deliver({ outcome: 'answered', status: 500, retryAfterSeconds: null }, true);
  expect(await deliveries(hook)).toMatchObject([{ status: 'failed', attempts: 10 }]);
  const letters = await records.pool.query(`select from pgboss.job where name = 'dead-letters'`);
  expect(letters.rowCount).toBe(0);
});

test('after days of failure it is turned off with one notice, and its owner turns it on again', async () => {
  const hook = await hooked();
  await notify(hook.person, paused);
  await deliver({ outcome: 'answered', status: 500, retryAfterSeconds: null });
  ahead += 5 * DAY_MS;
  await deliver({ outcome: 'answered', status: 500, retryAfterSeconds: null }, true);
  expect(await shown(hook)).toMatchObject({ is_on: false, off_because: 'failing' });
  await notify(hook.person, paused);
  expect(
    await deliver({ outcome: 'answered', status: 200, retryAfterSeconds: null }, true),
    'nothing is posted while it is off',
  ).toEqual([]);
  const { body: notices } = await request({
    url: '/api/notifications/',
    method: 'GET',
    token: hook.person.token,
  });
  const told = notices.filter(({ kind }: { kind: string }) => kind === 'webhook_disabled');
  expect(told).toMatchObject([{ title: 'Webhook turned off' }]);
  expect(told[0].message).toContain('hooks.example.com');
  const on = { is_on: true };
  await request({ url: `/api/webhooks/${hook.id}/`, method: 'PATCH', token: hook.person.token, body: on });
  expect(await shown(hook)).toMatchObject({ is_on: true, off_because: null, failing_since: null });
  await notify(hook.person, paused);
  expect(await deliver()).toHaveLength(1);
});

test('a receiver that is gone for good is asked no more', async () => {
  const hook = await hooked();
  await notify(hook.person, paused);
  await deliver({ outcome: 'answered', status: 410, retryAfterSeconds: null });
  expect(await shown(hook)).toMatchObject({ is_on: false, off_because: 'gone' });
  await deliver({ outcome: 'answered', status: 200, retryAfterSeconds: null }, true);
});

test('for a day both secrets sign, then the new one alone', async () => {
  const hook = await hooked();
  const url = `/api/webhooks/${hook.id}/rotate_secret/`;
  const { body } = await request({ url, method: 'POST', token: hook.person.token });
  expect(body.webhook.former_secret_until).not.toBeNull();
  await notify(hook.person, paused);
  const [both] = await deliver();
  expect(both!.headers['webhook-signature']).toBe(
    [body.secret, hook.secret].map((secret) => signatureOf(secret, both!)).join(' '),
  );
  ahead += DAY_MS + 1;
  await notify(hook.person, paused);
  const [one] = await deliver();
  expect(one!.headers['webhook-signature']).toBe(signatureOf(body.secret, one!));
});

test('a test is posted and logged like any other', async () => {
  const hook = await hooked();
  const { status, body } = await request({
    url: `/api/webhooks/${hook.id}/test/`,
    method: 'POST',
    token: hook.person.token,
  });
  expect([status, body.type]).toEqual([202, 'test']);
  const [post] = await deliver();
  expect(post!.headers['webhook-id']).toBe(body.id);
  expect(await deliveries(hook)).toMatchObject([{ id: body.id, type: 'test', status: 'taken' }]);
});

test.each([
  ['http://example.com/', 'https'],
  ['https://user:pass@example.com/', 'password'],
  ['https://localhost/', 'Internet'],
  ['https://[::1]/', 'Internet'],
  ['https://127.0.0.1/', 'Internet'],
  ['https://0x7f.1/', 'Internet'],
  ['https://169.254.169.254/latest/', 'Internet'],
  ['not an address', 'whole address'],
])('%s is refused when it is entered', async (url, words) => {
  const { token } = await signedInPerson(app);
  const { body } = await request({
    method: 'POST',
    url: '/api/webhooks/',
    token,
    body: { url, news: ['fills'] },
  });
  expect(body).toMatchObject({ code: 'invalid_field', field: 'url' });
  expect(body.message).toContain(words);
});
