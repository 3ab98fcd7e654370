// From a notice to a browser and a chat of stand-ins, through the queue, with every fault that they know.
import { randomUUID } from 'node:crypto';
import Fastify from 'fastify';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { telegram } from '#adapters/news-channel/telegram/telegram.ts';
import { webPush } from '#adapters/news-channel/web-push/web-push.ts';
import type { NewsDelivery } from '#contract/news.ts';
import { insertNotifications } from '#records/notifications/notifications-outbox.ts';
import { mountPushService } from '#sandbox/news/push-service.ts';
import { mountTelegram } from '#sandbox/news/telegram.ts';
import { plainSender } from '#tests/support/plain-sender.ts';
import { runJobs } from '#tests/support/run-jobs.ts';
import { testApp } from '#tests/support/test-app.ts';
import { signedInPerson, type TestPerson } from '#tests/support/test-person.ts';
import type { NotificationId, UserId } from '#units/identifiers.ts';
import { instant, MINUTE_MS } from '#units/instant.ts';
import { toMicro } from '#units/money.ts';
import { toQuantity } from '#units/quantity.ts';
import { newsHandler } from './deliver-news.ts';
import { hearChats } from './hear-chats.ts';
import { vapidKeyOf } from './vapid-key.ts';

const TOKEN = '123456:AAAAAAAAAAAAAAAAAAAAAAAA';
const app = await testApp();
const { records, request, world, dependencies } = app;
const { keys } = dependencies;
const outside = Fastify({ logger: false });
const chats = mountTelegram(outside, { token: TOKEN });
let base = '';
const browsers = mountPushService(outside, () => base.replace('http://127.0.0.1', 'https://push.example'));
base = await outside.listen({ host: '127.0.0.1', port: 0 });
afterAll(() => outside.close());

const bot = telegram({ token: TOKEN, url: base, publicUrl: 'https://bellwether.example' });
const push = webPush({
  post: plainSender((url) => url.replace('https://push.example', 'http://127.0.0.1')),
  async findKey(id) {
    const key = await keys.find('web_push', id);
    return key && vapidKeyOf(key);
  },
  contact: 'mailto:help@example.com',
  now: Date.now,
});
const now = () => instant(world.now);
const handler = newsHandler({ records, keys, now, channels: { push, telegram: bot } });
const deliver = (later = false) => runJobs(records.database, { queue: 'news', handler, later });

beforeEach(() => {
  browsers.faults.length = 0;
  chats.faults.length = 0;
});

async function withBrowser(person: TestPerson) {
  const { body: outsideOf } = await request({ url: '/api/news/', method: 'GET', token: person.token });
  const subscription = browsers.subscribe(outsideOf.push.public_key);
  const { body, text } = await request({
    method: 'POST',
    url: '/api/news/browsers/',
    token: person.token,
    body: subscription,
    headers: { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0' },
  });
  expect(body?.name, text).toBe('Firefox on Linux');
  await settle();
  return { id: body.id as string, endpoint: subscription.endpoint, subscription };
}

/** The notice of the new browser itself is of no interest to a test. */
async function settle() {
  await deliver();
  await records.pool.query(`delete from news_deliveries`);
}

let lastChat = 100;
async function withChat(person: TestPerson) {
  const { body } = await request({ method: 'POST', url: '/api/news/telegram/', token: person.token });
  expect(body.url).toBe(`https://t.me/bellwether_test_bot?start=${body.code}`);
  const chat = (lastChat += 1);
  chats.say(chat, `/start ${body.code}`, { username: 'ada' });
  await hear();
  await settle();
  return { chat, code: body.code as string };
}

let heard: number | null = null;
async function hear() {
  ({ heard } = await hearChats(
    bot,
    { after: heard, signal: AbortSignal.timeout(5_000) },
    { records, keys, now, bot },
  ));
}

const paused = { kind: 'paused', strategyName: 'Calm Trend', atBroker: [] } as const;
const bought = {
  kind: 'order_filled',
  strategyName: 'Calm Trend',
  side: 'sell',
  quantity: toQuantity(3),
  symbol: 'AAA',
  isProtective: false,
  price: 100,
  currency: 'USD',
  commission: toMicro(1),
  profit: toMicro(12_345),
} as never;

async function notify(person: TestPerson, facts: typeof paused, cause: string = randomUUID()) {
  const notice = { userId: person.id as UserId, deploymentId: null, facts, cause, at: world.now };
  await records.database
    .transaction()
    .execute((trx) =>
      insertNotifications(trx, [{ id: randomUUID() as string as NotificationId, ...notice }]),
    );
}

const log = async ({ token }: TestPerson) =>
  (await request({ url: '/api/news/deliveries/', method: 'GET', token })).body as NewsDelivery[];
const addresses = async ({ token }: TestPerson) =>
  (await request({ url: '/api/news/', method: 'GET', token })).body.addresses as {
    id: string;
    channel: string;
    name: string;
  }[];
const kindsOf = async ({ token }: TestPerson) =>
  (await request({ url: '/api/notifications/', method: 'GET', token })).body.map(
    ({ kind }: { kind: string }) => kind,
  ) as string[];

test('a fill arrives in browser and chat once, without what it earned, and both are logged', async () => {
  const person = await signedInPerson(app);
  const { endpoint } = await withBrowser(person);
  const { chat } = await withChat(person);
  const cause = randomUUID();
  await notify(person, bought, cause);
  await notify(person, bought, cause);
  await deliver();
  const said = { title: 'Sold AAA', message: 'Calm Trend: sold 3 AAA at $100.' };
  expect(browsers.receivedBy(endpoint).slice(-1)).toMatchObject([said]);
  expect(chats.receivedIn(chat).at(-1)!.title).toBe(said.title);
  expect(chats.receivedIn(chat).at(-1)!.message).toContain(said.message);
  expect(JSON.stringify(chats.receivedIn(chat))).not.toContain('12,345');
  expect(await log(person)).toMatchObject([
    { channel: expect.any(String), type: 'order_filled', status: 'taken', attempts: 1, problem: null },
    { channel: expect.any(String), type: 'order_filled', status: 'taken', attempts: 1, problem: null },
  ]);
  expect(await deliver(true)).toBe(0);
});

test('only chosen news goes by a channel', async () => {
  const person = await signedInPerson(app);
  const { endpoint } = await withBrowser(person);
  const choices = [{ news: 'updates', channel: 'push', is_on: false }];
  await request({
    url: '/api/notifications/choices/',
    method: 'PATCH',
    token: person.token,
    body: { choices },
  });
  const before = browsers.receivedBy(endpoint).length;
  await notify(person, paused);
  await notify(person, bought);
  await deliver();
  expect(browsers.receivedBy(endpoint).slice(before)).toMatchObject([{ title: 'Sold AAA' }]);
});

test.each([404, 410])(
  'a browser that answers %i is removed with one notice, and its log stays',
  async (status) => {
    const person = await signedInPerson(app);
    const { endpoint } = await withBrowser(person);
    await notify(person, paused);
    await notify(person, bought);
    browsers.faults.push({ status }, { status });
    await deliver();
    expect(await addresses(person)).toEqual([]);
    expect((await log(person)).map(({ status: end, problem }) => [end, problem])).toEqual([
      ['failed', 'Nobody is there any more, so we removed it.'],
      ['failed', 'Nobody is there any more, so we removed it.'],
    ]);
    expect((await kindsOf(person)).filter((kind) => kind === 'channel_gone')).toHaveLength(1);
    expect(
      browsers
        .receivedBy(endpoint)
        .filter(({ title }) => title !== 'A browser was added that gets your news'),
    ).toEqual([]);
  },
);

test('a chat that blocked the bot is removed', async () => {
  const person = await signedInPerson(app);
  const { chat } = await withChat(person);
  chats.block(chat);
  await notify(person, paused);
  await deliver();
  expect(await addresses(person)).toEqual([]);
});

test('what a service puts off is tried again later, and shown once', async () => {
  const person = await signedInPerson(app);
  const { endpoint } = await withBrowser(person);
  const before = browsers.receivedBy(endpoint).length;
  await notify(person, paused);
  browsers.faults.push({ status: 429, retryAfterSeconds: 600 });
  await deliver();
  expect(await log(person)).toMatchObject([
    { status: 'waiting', attempts: 1, problem: 'The service was busy.' },
  ]);
  expect(await deliver(), 'not before the pause is over').toBe(0);
  browsers.faults.push({ status: 503 }, { status: 0, drops: true });
  await deliver(true);
  await deliver(true);
  expect(await log(person)).toMatchObject([{ status: 'waiting', attempts: 3 }]);
  await deliver(true);
  expect(await log(person)).toMatchObject([{ status: 'taken', attempts: 4, problem: null }]);
  // It had arrived before the answer was lost: the second is the same to the browser.
  expect(browsers.receivedBy(endpoint).length - before).toBe(1);
});

test('a service that puts off without end ends in the log, and support hears nothing of it', async () => {
  const person = await signedInPerson(app);
  await withBrowser(person);
  await notify(person, paused);
  for (let attempt = 0; attempt < 12; attempt++) {
    browsers.faults.push({ status: 429, retryAfterSeconds: 30 });
    await deliver(true);
  }
  expect(await log(person)).toMatchObject([{ status: 'failed', attempts: 10 }]);
  const letters = await records.pool.query(`select from pgboss.job where name = 'dead-letters'`);
  expect(letters.rowCount).toBe(0);
});

test('a worker that dies between sending and noting sends the same again, which the browser shows once', async () => {
  const person = await signedInPerson(app);
  const { endpoint } = await withBrowser(person);
  const before = browsers.receivedBy(endpoint).length;
  await notify(person, paused);
  const dying = newsHandler({
    records,
    keys,
    now: () => {
      throw new Error('killed');
    },
    channels: { push, telegram: bot },
  });
  await expect(runJobs(records.database, { queue: 'news', handler: dying })).rejects.toThrow('killed');
  expect(browsers.receivedBy(endpoint).length - before).toBe(1);
  await deliver(true);
  expect(browsers.receivedBy(endpoint).length - before).toBe(1);
  expect(await log(person)).toMatchObject([{ status: 'taken' }]);
});

test('a code links one chat once, within ten minutes', async () => {
  const person = await signedInPerson(app);
  const { chat, code } = await withChat(person);
  expect(await addresses(person)).toMatchObject([{ channel: 'telegram', name: '@ada' }]);
  expect(await kindsOf(person)).toContain('security_changed');
  expect(chats.receivedIn(chat)[0]!.title).toContain('This chat is linked');

  chats.say(900, `/start ${code}`);
  await hear();
  expect(chats.receivedIn(900)[0]!.title).toContain('not known');

  const { body } = await request({ method: 'POST', url: '/api/news/telegram/', token: person.token });
  const asked = world.now;
  world.now = instant(asked + 10 * MINUTE_MS + 1);
  chats.say(901, `/start ${body.code}`);
  await hear();
  world.now = asked;
  expect(chats.receivedIn(901)[0]!.title).toContain('not known');
  expect(await addresses(person)).toHaveLength(1);
});

test('the word /stop ends a link, and other words are answered with help', async () => {
  const person = await signedInPerson(app);
  const { chat } = await withChat(person);
  chats.say(chat, 'what is this?');
  chats.say(chat, '/stop');
  chats.say(chat, '/stop');
  await hear();
  expect(
    chats
      .receivedIn(chat)
      .slice(-3)
      .map(({ title }) => title),
  ).toEqual([
    expect.stringContaining('To link this chat'),
    expect.stringContaining('no longer linked'),
    expect.stringContaining('not linked to an account'),
  ]);
  expect(await addresses(person)).toEqual([]);
});

test('a browser belongs to one person: the next who turns it on has it alone', async () => {
  const first = await signedInPerson(app);
  const { subscription, endpoint } = await withBrowser(first);
  await notify(first, paused);
  const second = await signedInPerson(app);
  await request({ method: 'POST', url: '/api/news/browsers/', token: second.token, body: subscription });
  const before = browsers.receivedBy(endpoint).length;
  await deliver();
  expect(
    browsers
      .receivedBy(endpoint)
      .slice(before)
      .map(({ title }) => title),
  ).toEqual(['A browser was added that gets your news']);
  expect(await addresses(first)).toEqual([]);
  expect(await log(first)).toMatchObject([
    { status: 'failed', problem: 'You removed it before it was sent.' },
  ]);
});

test('a removed address gets nothing that waited, and a test is logged like any other', async () => {
  const person = await signedInPerson(app);
  const { id, endpoint } = await withBrowser(person);
  const tested = await request({
    method: 'POST',
    url: `/api/news/addresses/${id}/test/`,
    token: person.token,
  });
  expect([tested.status, tested.body.type]).toEqual([202, 'test']);
  await deliver();
  expect(browsers.receivedBy(endpoint).at(-1)!.title).toBe('A test');
  const before = browsers.receivedBy(endpoint).length;
  await notify(person, paused);
  expect(
    (await request({ method: 'DELETE', url: `/api/news/addresses/${id}/`, token: person.token })).status,
  ).toBe(204);
  await deliver();
  expect(browsers.receivedBy(endpoint).length).toBe(before);
});

test.each([
  [{ endpoint: 'http://push.example.com/' }, 'https'],
  [{ endpoint: 'https://127.0.0.1/push' }, 'Internet'],
  [{ keys: { p256dh: 'AAAA', auth: 'BTBZMqHH6r4Tts7J_aSIgg' } }, '65 bytes'],
  [{ public_key: 'another' }, 'key that we do not have'],
])('%j is refused when a browser is added', async (change, words) => {
  const { token } = await signedInPerson(app);
  const { body: outsideOf } = await request({ url: '/api/news/', method: 'GET', token });
  const body = { ...browsers.subscribe(outsideOf.push.public_key), ...change };
  const refused = await request({ method: 'POST', url: '/api/news/browsers/', token, body });
  expect(refused.body).toMatchObject({ code: 'invalid_field' });
  expect(refused.body.message).toContain(words);
});

test('mails about the security of an account cannot be turned off', async () => {
  const person = await signedInPerson(app);
  const choices = [{ news: 'security', channel: 'mail', is_on: false }];
  const refused = await request({
    url: '/api/notifications/choices/',
    method: 'PATCH',
    token: person.token,
    body: { choices },
  });
  expect([refused.status, refused.body.code]).toEqual([422, 'out_of_range']);
  await records.pool.query(
    `insert into news_choices (user_id, news, channel, is_on) values ($1, 'security', 'mail', false)`,
    [person.id],
  );
  await records.pool.query('update users set email_verified_at = now() where id = $1', [person.id]);
  await withBrowser(person);
  const { rows } = await records.pool.query(
    `select n.kind from mails m join notifications n on n.id = m.notification_id where m.user_id = $1`,
    [person.id],
  );
  expect(rows).toEqual([{ kind: 'security_changed' }]);
});
