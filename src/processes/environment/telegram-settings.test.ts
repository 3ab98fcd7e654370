import { expect, test } from 'vitest';
import { readTelegram } from './telegram-settings.ts';

const TOKEN = '123456:AAAAAAAAAAAAAAAAAAAAAAAA';
const read = (settings: Readonly<Record<string, string>>) => readTelegram((name) => settings[name] ?? null);

test('without a bot there is no Telegram', () => {
  expect(read({})).toBeNull();
});

test('a bot has its name, with or without the @, and its token', () => {
  for (const name of ['@bellwether_bot', 'bellwether_bot'])
    expect(read({ TELEGRAM_BOT: name, TELEGRAM_BOT_TOKEN: TOKEN })).toEqual({
      bot: 'bellwether_bot',
      token: TOKEN,
      url: null,
    });
});

test('a stand-in is on this machine', () => {
  const bot = { TELEGRAM_BOT: 'bellwether_bot', TELEGRAM_BOT_TOKEN: TOKEN };
  expect(read({ ...bot, TELEGRAM_URL: 'http://127.0.0.1:3270/' })?.url).toBe('http://127.0.0.1:3270');
  for (const url of ['https://api.telegram.org', 'no address'])
    expect(() => read({ ...bot, TELEGRAM_URL: url })).toThrow('for Telegram itself remove it');
});

test.each([
  [{ TELEGRAM_BOT_TOKEN: TOKEN }, 'TELEGRAM_BOT_TOKEN is set without TELEGRAM_BOT'],
  [{ TELEGRAM_URL: 'http://127.0.0.1:3270' }, 'TELEGRAM_URL is set without TELEGRAM_BOT'],
  [{ TELEGRAM_BOT: 'a bot', TELEGRAM_BOT_TOKEN: TOKEN }, 'must be the name of a bot'],
  [{ TELEGRAM_BOT: 'bellwether_bot' }, 'needs TELEGRAM_BOT_TOKEN'],
  [{ TELEGRAM_BOT: 'bellwether_bot', TELEGRAM_BOT_TOKEN: '123' }, 'needs TELEGRAM_BOT_TOKEN'],
])('%j is refused with the way out', (settings, sentence) => {
  expect(() => read(settings as Readonly<Record<string, string>>)).toThrow(sentence);
});
