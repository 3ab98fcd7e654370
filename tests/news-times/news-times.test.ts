// From the booking of an execution by the trader to its receipt by a stand-in of every channel, through the queue and a worker in real time.
// Nothing here asserts a time: `npm run news-times` writes what was measured.
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import Fastify from 'fastify';
import { afterAll, expect, test } from 'vitest';
import { smtp } from '#adapters/mail/smtp/smtp.ts';
import { telegram } from '#adapters/news-channel/telegram/telegram.ts';
import { webPush } from '#adapters/news-channel/web-push/web-push.ts';
import type { MailPort } from '#ports/mail.ts';
import { workNews } from '#processes/roles/work-news.ts';
import { startJobWorker } from '#records/jobs/job-worker.ts';
import { openKeyring } from '#records/keys/keyring.ts';
import { fingerprintOf, putAddress } from '#records/news/news-addresses.ts';
import { insertWebhook } from '#records/webhooks/webhooks.ts';
import { mountPushService } from '#sandbox/news/push-service.ts';
import { mountTelegram } from '#sandbox/news/telegram.ts';
import { sealAddress } from '#server/news/seal-address.ts';
import { vapidKeyOf } from '#server/news/vapid-key.ts';
import { newWebhookSecret, sealSecrets } from '#server/webhooks/webhook-secrets.ts';
import { mailServer } from '#tests/support/mail-server.ts';
import { plainSender } from '#tests/support/plain-sender.ts';
import { testDatabase } from '#tests/support/test-database.ts';
import { testKeyFile } from '#tests/support/test-keyring.ts';
import { markSent, NOW, tradingFloor } from '#tests/support/trading-floor.ts';
import type { TradingPerson } from '#tests/support/trading-rows.ts';
import { reconcile } from '#trader/reconciliation/reconcile-orders.ts';
import type { ExecutionId, UserId } from '#units/identifiers.ts';
import { instant } from '#units/instant.ts';
import { toMicro } from '#units/money.ts';
import { toQuantity } from '#units/quantity.ts';

const { NEWS_FILLS = '12', NEWS_SLOW = '4', NEWS_TIMES_RESULT } = process.env;
const [FILLS, SLOW] = [Number(NEWS_FILLS), Number(NEWS_SLOW)];
const TOKEN = '123456:AAAAAAAAAAAAAAAAAAAAAAAA';
/** A receiver that is slow answers after so long. */
const SLOW_MS = 8_000;
/** Between two fills: about twenty a second, as at a close. */
const APART_MS = 50;

type Channel = 'mail' | 'push' | 'telegram' | 'webhook';
type Receipt = { readonly person: string; readonly channel: Channel; readonly at: number };
const receipts: Receipt[] = [];
const receive = (person: string, channel: Channel) => void receipts.push({ person, channel, at: Date.now() });

const handle = await testDatabase();
const { database } = handle;
const floor = await tradingFloor(handle);
const keys = await openKeyring({ database, management: testKeyFile().management });
const outside = Fastify({ logger: false });
const chats = mountTelegram(outside, { token: TOKEN });
let services = '';
const pushes = mountPushService(outside, () => services.replace('http://127.0.0.1', 'https://push.example'));
outside.post('/hook/:person/:pace', async (request) => {
  const { person, pace } = request.params as { person: string; pace: string };
  receive(person, 'webhook');
  if (pace === 'slow') await pause(SLOW_MS);
  return {};
});
services = await outside.listen({ host: '127.0.0.1', port: 0 });
const post = await mailServer({});
afterAll(async () => {
  await outside.close();
  post.close();
});

const outgoing = smtp({ url: post.url, requiresTls: false, from: 'Bellwether <news@example.com>' });
const mail: MailPort = {
  async send(one) {
    const outcome = await outgoing.send(one);
    if (outcome.outcome === 'sent') receive(one.to.replace('@example.test', ''), 'mail');
    return outcome;
  },
};
const sender = plainSender((url) => url.replace(/^https:\/\/(push|hooks)\.example/, 'http://127.0.0.1'));
const channels = {
  push: webPush({
    post: sender,
    async findKey(id) {
      const key = await keys.find('web_push', id);
      return key && vapidKeyOf(key);
    },
    contact: 'mailto:help@example.com',
    now: Date.now,
  }),
  telegram: telegram({ token: TOKEN, url: services, publicUrl: 'https://bellwether.example' }),
};

const places = new Map<string, { readonly endpoint: string; readonly chat: number }>();
let lastChat = 0;

/** A person with an address of every channel. */
async function reachable(pace: 'fast' | 'slow'): Promise<TradingPerson> {
  const person = await floor.person();
  const userId = person.user as UserId;
  const at = instant(Date.now());
  const vapid = vapidKeyOf(keys.newest('web_push'));
  const { endpoint, keys: browser } = pushes.subscribe(vapid.publicKey);
  const chat = (lastChat += 1);
  chats.say(chat, '/start');
  const put = (channel: 'push' | 'telegram', address: string, id = randomUUID()) =>
    database.transaction().execute((trx) =>
      putAddress(trx, {
        id,
        userId,
        channel,
        name: channel,
        sealedAddress: sealAddress(address, id, keys),
        fingerprint: fingerprintOf(address),
        vapidKey: channel === 'push' ? vapid.id : null,
        at,
      }),
    );
  await put('push', JSON.stringify({ endpoint, ...browser, key: vapid.id }));
  await put('telegram', JSON.stringify({ chat }));
  const id = randomUUID();
  const sealedSecrets = sealSecrets({ newest: newWebhookSecret(), former: null }, id, keys);
  const url = `${services.replace('http://127.0.0.1', 'https://hooks.example')}/hook/${person.user}/${pace}`;
  await database
    .transaction()
    .execute((trx) => insertWebhook(trx, { id, userId, url, news: ['fills'], sealedSecrets, at }));
  places.set(person.user, { endpoint, chat });
  return person;
}

let executions = 0;
async function fill(person: TradingPerson): Promise<void> {
  const deployment = await floor.deploy(person);
  const placed = await floor.order(person, [deployment]);
  const [{ order }] = placed as [(typeof placed)[number]];
  await markSent(handle, placed);
  executions += 1;
  floor.reported.executions = [
    {
      executionId: `X${executions}` as ExecutionId,
      clientOrderId: order.clientOrderId,
      brokerOrderId: `B${executions}`,
      symbol: order.symbol,
      brokerInstrumentId: 'AAA',
      side: 'buy',
      quantity: toQuantity(10),
      price: 100,
      commission: toMicro(1),
      at: NOW,
    },
  ];
  await reconcile(floor.context, floor.connect(person));
}

test('a fill is received by every channel', { timeout: 600_000 }, async () => {
  const people: TradingPerson[] = [];
  for (let nth = 0; nth < FILLS; nth++) people.push(await reachable('fast'));
  const slow: TradingPerson[] = [];
  for (let nth = 0; nth < SLOW; nth++) slow.push(await reachable('slow'));
  const errors: unknown[] = [];
  const jobs = await startJobWorker({ database, onError: (error) => errors.push(error) });
  await workNews(jobs, {
    records: handle,
    mail,
    webhooks: sender,
    keys,
    channels,
    now: () => instant(Date.now()),
    config: { installation: 'demonstration', publicUrl: 'https://bellwether.example' },
    logger: false,
  });
  // The slow ones are spread among the others.
  const order = people.flatMap((person, nth) => {
    const every = Math.ceil(FILLS / Math.max(SLOW, 1));
    const beside = nth % every === 0 ? slow[nth / every] : undefined;
    return beside === undefined ? [person] : [beside, person];
  });
  for (const person of order) {
    await fill(person);
    await pause(APART_MS);
  }
  const wanted = order.length * 4;
  for (let looks = 0; looks < 1_200 && all().length < wanted; looks++) await pause(100);
  await jobs.stop();
  expect(errors).toEqual([]);
  const { rows } = await handle.pool.query<{ person: string; at: Date }>(
    `select user_id as person, written_at as at from notifications where kind = 'order_filled'`,
  );
  const bookedAt = new Map(rows.map(({ person, at }) => [person, at.getTime()]));
  expect(bookedAt.size).toBe(order.length);
  const found = all();
  for (const channel of ['mail', 'push', 'telegram', 'webhook'])
    expect(new Set(found.filter((one) => one.channel === channel).map(({ person }) => person)).size).toBe(
      order.length,
    );
  if (NEWS_TIMES_RESULT !== undefined)
    writeFileSync(
      NEWS_TIMES_RESULT,
      JSON.stringify(found.map(({ person, channel, at }) => ({ channel, ms: at - bookedAt.get(person)! }))),
    );
});

/** What came so far, each with the time of its stand-in. */
function all(): readonly Receipt[] {
  const pushed = [...places].flatMap(([person, { endpoint, chat }]): Receipt[] => [
    ...pushes.receivedBy(endpoint).map(({ at }) => ({ person, channel: 'push' as const, at })),
    ...chats.receivedIn(chat).map(({ at }) => ({ person, channel: 'telegram' as const, at })),
  ]);
  return [...receipts, ...pushed];
}
