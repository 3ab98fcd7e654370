import { expect, test } from 'vitest';
import { readEnvironment } from './environment.ts';
import { readFeedTable } from './market-feeds.ts';

const COINS = { kind: 'crypto', first: 'alpaca', second: null };
const OPTIONS = { kind: 'options', first: 'alpaca', second: null };

test('the first feed of a kind counts and the second checks it; without a table Alpaca counts alone', () => {
  expect(readFeedTable(null)).toEqual([{ kind: 'equity', first: 'alpaca', second: null }, COINS, OPTIONS]);
  expect(readFeedTable(' equity = massive , alpaca; ')).toEqual([
    { kind: 'equity', first: 'massive', second: 'alpaca' },
    COINS,
    OPTIONS,
  ]);
  expect(readFeedTable('crypto=alpaca;equity=massive').map(({ kind }) => kind)).toEqual([
    'equity',
    'crypto',
    'options',
  ]);
  expect(readFeedTable('equity=alpaca,interactive-brokers')).toMatchObject([
    { second: 'interactive-brokers' },
    COINS,
    OPTIONS,
  ]);
});

test.each([
  ['equity', '"equity" is not a kind with its feeds'],
  ['equity=alpaca=massive', 'is not a kind with its feeds'],
  ['shares=alpaca', 'knows the kinds equity, crypto, options, not "shares"'],
  ['equity=alpaca;crypto=massive', 'asks massive for crypto, and it has equity only'],
  ['equity=polygon', 'knows the feeds alpaca, massive, interactive-brokers, not "polygon" for equity'],
  ['equity=', 'not "" for equity'],
  ['equity=interactive-brokers', 'lists no splits and dividends: name it second'],
  ['equity=alpaca,alpaca', 'names alpaca twice for equity'],
  ['equity=alpaca,massive,alpaca', 'lists more than two feeds for equity'],
  ['equity=alpaca; equity=massive', 'names equity twice'],
  [';', 'has no feed for equity'],
])('MARKET_FEEDS "%s" is refused, with the word that is wrong', (text, sentence) => {
  expect(() => readFeedTable(text)).toThrow(/^MARKET_FEEDS /);
  expect(() => readFeedTable(text)).toThrow(sentence);
});

test('Interactive Brokers checks prices only where it trades: the session is the trader’s', () => {
  const LIVE = { MARKET: 'live', APCA_API_KEY_ID: 'an id', APCA_API_SECRET_KEY: 'a secret' };
  expect(() => readEnvironment({ ...LIVE, MARKET_FEEDS: 'equity=alpaca,interactive-brokers' })).toThrow(
    'add it to BROKER, or take it out',
  );
});

test('the settings of Massive are read where it is a feed, and each wrong one is named', () => {
  const LIVE = { MARKET: 'live', APCA_API_KEY_ID: 'an id', APCA_API_SECRET_KEY: 'a secret' };
  const read = (more: Record<string, string>) => readEnvironment({ ...LIVE, ...more }).live;
  const both = { MARKET_FEEDS: 'equity=alpaca,massive' };
  expect(read({ MASSIVE_API_KEY: 'a key' })?.massive).toBeNull();
  expect(read({ ...both, MASSIVE_API_KEY: 'a key' })?.massive).toEqual({
    url: 'https://api.massive.com',
    apiKey: 'a key',
    historyFrom: '2016-01-01',
    requestsPerMinute: 300,
  });
  expect(() => read(both)).toThrow('MASSIVE_API_KEY is not set, and MARKET_FEEDS names massive');
  for (const [name, value] of [
    ['MASSIVE_URL', 'http://api.massive.com'],
    ['MASSIVE_HISTORY_FROM', '2024-13-01'],
    ['MASSIVE_HISTORY_FROM', 'two years'],
    ['MASSIVE_REQUESTS_PER_MINUTE', '0'],
    ['MASSIVE_REQUESTS_PER_MINUTE', 'many'],
  ] as const)
    expect(() => read({ ...both, MASSIVE_API_KEY: 'a key', [name]: value })).toThrow(`${name} must be`);
});
