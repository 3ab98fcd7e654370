// Against the stand-in of the Bot API.
import Fastify from 'fastify';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { mountTelegram } from '#sandbox/news/telegram.ts';
import { telegram } from './telegram.ts';

const TOKEN = '123456:AAAAAAAAAAAAAAAAAAAAAAAA';
const app = Fastify({ logger: false });
const standIn = mountTelegram(app, { token: TOKEN });
const url = await app.listen({ host: '127.0.0.1', port: 0 });
afterAll(() => app.close());

const bot = telegram({ token: TOKEN, url, publicUrl: 'https://bellwether.example', timeoutMs: 300 });
const item = (chat: number) => ({
  address: JSON.stringify({ chat }),
  id: 'a',
  title: 'Bought *AAA*',
  message: '<b>Calm_Trend</b>: bought 3 AAA at $100.',
  path: '/deployments/1',
});
const never = new AbortController().signal;

beforeEach(() => {
  standIn.faults.length = 0;
});

test('a message arrives as it was written, with a link', async () => {
  standIn.say(1, 'hello');
  expect(await bot.send(item(1))).toEqual({ outcome: 'taken' });
  expect(standIn.receivedIn(1).at(-1)).toMatchObject({
    title: 'Bought *AAA*',
    message: '<b>Calm_Trend</b>: bought 3 AAA at $100.\nhttps://bellwether.example/deployments/1',
  });
});

test.each([
  [
    { status: 429, retryAfterSeconds: 7 },
    { outcome: 'later', code: 'busy', afterSeconds: 7 },
  ],
  [{ status: 502 }, { outcome: 'later', code: 'unwell', afterSeconds: null }],
  [{ status: 401 }, { outcome: 'refused', status: 401 }],
  [
    { status: 200, afterMs: 600 },
    { outcome: 'later', code: 'late', afterSeconds: null },
  ],
  [
    { status: 0, drops: true },
    { outcome: 'later', code: 'unreachable', afterSeconds: null },
  ],
] as const)('%j is %j', async (fault, outcome) => {
  standIn.say(1, 'hello');
  standIn.faults.push(fault);
  expect(await bot.send(item(1))).toEqual(outcome);
});

test('a chat that blocked the bot, or that never was, is gone', async () => {
  standIn.say(2, 'hello');
  standIn.block(2);
  expect(await bot.send(item(2))).toEqual({ outcome: 'gone' });
  expect(await bot.send(item(99))).toEqual({ outcome: 'gone' });
});

test('what was heard is confirmed by the next look, and what is no private chat has no address', async () => {
  const first = await bot.listen(null, never);
  const last = first!.at(-1)!.number;
  standIn.say(3, '/start abc', { username: 'ada' });
  standIn.say(-5, 'of a group');
  expect(await bot.listen(last, never)).toEqual([
    { number: last + 1, text: '/start abc', from: '@ada', address: '{"chat":3}' },
    { number: last + 2, text: 'of a group', from: 'Ada', address: null },
  ]);
  const stopping = new AbortController();
  setTimeout(() => stopping.abort(), 50);
  expect(await bot.listen(last + 2, stopping.signal)).toBeNull();
});
