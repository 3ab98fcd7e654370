// Two workers follow one bot, at the stand-in of the Bot API.
import { randomUUID } from 'node:crypto';
import Fastify from 'fastify';
import { afterAll, expect, test } from 'vitest';
import { telegram } from '#adapters/news-channel/telegram/telegram.ts';
import type { ChatInbox, NewsChannel } from '#ports/news-channel.ts';
import { mountTelegram } from '#sandbox/news/telegram.ts';
import { testApp } from '#tests/support/test-app.ts';
import { signedInPerson } from '#tests/support/test-person.ts';
import { followChats } from './follow-chats.ts';

const TOKEN = '123456:AAAAAAAAAAAAAAAAAAAAAAAA';
const app = await testApp();
const { records, dependencies } = app;
const outside = Fastify({ logger: false });
const chats = mountTelegram(outside, { token: TOKEN });
const url = await outside.listen({ host: '127.0.0.1', port: 0 });
afterAll(() => outside.close());
const bot = telegram({ token: TOKEN, url, publicUrl: 'https://bellwether.example' });

/** Counts how many listen, and fails as long as it is told to. */
function counted(state: { listening: number; most: number; fails: boolean }): NewsChannel & ChatInbox {
  return {
    send: bot.send,
    async listen(after, signal) {
      state.listening += 1;
      state.most = Math.max(state.most, state.listening);
      try {
        if (state.fails) throw new Error('out of order');
        return await bot.listen(after, AbortSignal.any([signal, AbortSignal.timeout(200)]));
      } finally {
        state.listening -= 1;
      }
    },
  };
}

const follow = (inbox: NewsChannel & ChatInbox, errors: unknown[] = []) =>
  followChats({ ...dependencies, records, bot: inbox, onError: (error) => errors.push(error) });

async function code(token: string): Promise<string> {
  const { body } = await app.request({ method: 'POST', url: '/api/news/telegram/', token });
  return `/start ${body.code}`;
}

const chatsOf = async (id: string) =>
  (
    await records.pool.query(`select name from news_addresses where user_id = $1 order by created_at, name`, [
      id,
    ])
  ).rows.map(({ name }) => name);

test('of two workers one listens, and what is said links a chat once', { timeout: 60_000 }, async () => {
  const person = await signedInPerson(app);
  const state = { listening: 0, most: 0, fails: false };
  const stops = [follow(counted(state)), follow(counted(state))];
  chats.say(21, await code(person.token), { username: 'ada' });
  await expect.poll(() => chatsOf(person.id), { timeout: 30_000 }).toEqual(['@ada']);
  chats.say(22, `/start ${randomUUID()}`, { username: 'eve' });
  await expect.poll(() => chats.receivedIn(22).length, { timeout: 30_000 }).toBe(1);
  // The one that holds the lock ends; the other takes over where it was.
  await stops[0]!();
  chats.say(23, await code(person.token), { username: 'bo' });
  await expect.poll(() => chatsOf(person.id), { timeout: 30_000 }).toEqual(['@ada', '@bo']);
  await stops[1]!();
  expect(state).toEqual({ listening: 0, most: 1, fails: false });
  expect(chats.receivedIn(21)).toHaveLength(1);
});

test('a look that fails is reported, and the next one hears what was said meanwhile', {
  timeout: 60_000,
}, async () => {
  const person = await signedInPerson(app);
  const state = { listening: 0, most: 0, fails: true };
  const errors: unknown[] = [];
  const stop = follow(counted(state), errors);
  chats.say(31, await code(person.token), { username: 'cy' });
  await expect.poll(() => errors.length, { timeout: 30_000 }).toBeGreaterThan(0);
  expect(String(errors[0])).toContain('out of order');
  expect(await chatsOf(person.id)).toEqual([]);
  state.fails = false;
  await expect.poll(() => chatsOf(person.id), { timeout: 30_000 }).toEqual(['@cy']);
  await stop();
  expect(state.listening).toBe(0);
});
