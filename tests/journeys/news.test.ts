import Fastify from 'fastify';
import { afterAll, expect, test } from 'vitest';
import { telegram } from '#adapters/news-channel/telegram/telegram.ts';
import { webPush } from '#adapters/news-channel/web-push/web-push.ts';
import { mountPushService } from '#sandbox/news/push-service.ts';
import { mountTelegram } from '#sandbox/news/telegram.ts';
import { newsHandler } from '#server/news/deliver-news.ts';
import { hearChats } from '#server/news/hear-chats.ts';
import { vapidKeyOf } from '#server/news/vapid-key.ts';
import { launchBrowser } from '#tests/support/browser.ts';
import { violationsInEveryLook } from '#tests/support/every-look.ts';
import { plainSender } from '#tests/support/plain-sender.ts';
import { runJobs } from '#tests/support/run-jobs.ts';
import { testApp } from '#tests/support/test-app.ts';
import { PASSWORD, signedInPerson } from '#tests/support/test-person.ts';
import { openWatchedPage } from '#tests/support/watched-page.ts';
import { WEB_ROOT } from '#tests/support/web-root.ts';

// A person chooses which news reaches them where, in a real browser on the real server: push to that browser and a Telegram chat, both at
// stand-ins.
const browser = await launchBrowser();
afterAll(() => browser.close());
const app = await testApp({ webRoot: WEB_ROOT });
const { records, dependencies } = app;
const { keys, now } = dependencies;
const base = await app.app.listen({ port: 0, host: '127.0.0.1' });

const TOKEN = '123456:AAAAAAAAAAAAAAAAAAAAAAAA';
const outside = Fastify({ logger: false });
const chats = mountTelegram(outside, { token: TOKEN });
let services = '';
const here = (url: string) => url.replace('https://push.example', 'http://127.0.0.1');
const pushes = mountPushService(outside, () => services.replace('http://127.0.0.1', 'https://push.example'));
services = await outside.listen({ host: '127.0.0.1', port: 0 });
afterAll(() => outside.close());
const bot = telegram({ token: TOKEN, url: services, publicUrl: base });
const push = webPush({
  post: plainSender(here),
  async findKey(id) {
    const key = await keys.find('web_push', id);
    return key && vapidKeyOf(key);
  },
  contact: 'mailto:help@example.com',
  now: Date.now,
});
const handler = newsHandler({ records, keys, now, channels: { push, telegram: bot } });
const deliver = () => runJobs(records.database, { queue: 'news', handler });

const LONG = { timeout: 120_000 };

test('push is turned on, a chat is linked, news is chosen for each, and both are tested', LONG, async () => {
  const person = await signedInPerson(app);
  const watched = await openWatchedPage(browser, base);
  const { page, context } = watched;
  await context.grantPermissions(['notifications'], { origin: base });
  const subscription = pushes.subscribe(vapidKeyOf(keys.newest('web_push')).publicKey);
  // The browser of a test has no push service: its part is the stand-in's.
  await page.addInitScript({
    content: `PushManager.prototype.subscribe = async ({ applicationServerKey }) => {
      const given = ${JSON.stringify(subscription)};
      if (applicationServerKey !== given.public_key) throw new Error('another key');
      return { toJSON: () => given };
    };
    globalThis.pushesEnded = 0;
    PushManager.prototype.getSubscription = async () => ({
      unsubscribe: async () => { globalThis.pushesEnded += 1; return true; },
    });`,
  });
  await page.goto('/login');
  await page.getByLabel('Email Address').fill(person.email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.locator('form').getByRole('button', { name: 'Sign In' }).click();
  await page.waitForURL('**/dashboard');
  await page.goto('/account?tab=notifications');

  const places = page.getByRole('region', { name: 'Push and Telegram' });
  await places.getByRole('button', { name: 'Turn on push in this browser' }).click();
  await places.getByRole('button', { name: /^Send a test to / }).waitFor();
  expect(await places.getByRole('button', { name: 'Turn on push in this browser' }).count()).toBe(0);
  await places.getByRole('button', { name: /^Send a test to / }).click();
  await expect.poll(deliver).toBeGreaterThan(0);
  await expect
    .poll(async () => (await deliver(), pushes.receivedBy(subscription.endpoint).map(({ title }) => title)))
    .toContain('A test');

  await places.getByRole('button', { name: 'Link Telegram' }).click();
  const dialog = page.getByRole('dialog', { name: 'Link Telegram' });
  const word = await dialog.getByLabel('Message for the bot').innerText();
  expect(await violationsInEveryLook(watched)).toEqual([]);
  chats.say(7, word, { username: 'ada' });
  await hearChats(bot, { after: null, signal: AbortSignal.timeout(5_000) }, { records, keys, now, bot });
  await dialog.getByText('Linked with @ada.').waitFor();
  await dialog.getByRole('button', { name: 'Done' }).click();

  const fees = page.getByLabel('Fees: Telegram');
  const saved = page.waitForResponse((answer) => answer.request().method() === 'PATCH');
  await fees.uncheck();
  expect((await saved).status()).toBe(200);
  expect(await page.getByLabel('Account security: E-mail').isDisabled()).toBe(true);
  await page.reload();
  await fees.waitFor();
  expect(await fees.isChecked()).toBe(false);

  await places.getByText('What was sent').click();
  await places.getByText('Test Chrome on Linux').waitFor();
  expect(await violationsInEveryLook(watched)).toEqual([]);
  await places.getByRole('button', { name: 'Remove @ada' }).click();
  await expect.poll(() => places.getByRole('button', { name: 'Remove @ada' }).count()).toBe(0);

  // Who signs out leaves no news to whoever uses the browser next.
  const addresses = () => records.pool.query('select id from news_addresses where user_id = $1', [person.id]);
  expect((await addresses()).rowCount).toBe(1);
  await page.getByRole('button', { name: /^User menu/ }).click();
  await page.getByRole('button', { name: 'Sign Out' }).click();
  await page.waitForURL('**/login');
  await expect.poll(async () => (await addresses()).rowCount).toBe(0);
  await expect.poll(() => page.evaluate('globalThis.pushesEnded')).toBe(1);
  watched.takeErrors();
  await context.close();
});

test('the app can be installed', LONG, async () => {
  const watched = await openWatchedPage(browser, base);
  const { page, context } = watched;
  await page.goto('/');
  const cdp = await context.newCDPSession(page);
  const { errors, data } = await cdp.send('Page.getAppManifest');
  expect(errors).toEqual([]);
  const { icons } = JSON.parse(data ?? '') as { icons: { src: string; type: string }[] };
  for (const { src, type } of icons) {
    const { headers, statusCode } = await app.app.inject({ url: src });
    expect([statusCode, headers['content-type']], src).toEqual([200, type]);
  }
  await context.close();
});
